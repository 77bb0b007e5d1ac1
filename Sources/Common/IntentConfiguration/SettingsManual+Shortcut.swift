import IntentLauncherMessages

/// The text of intentd.shortcut(5) before and after the descriptions of the keys.
extension SettingsManual.Text {
    static let shortcutStart = """
        \(paths(folder: "shortcuts.d", "NAME Ns Pa .shortcut"))
        .Sh DESCRIPTION
        Each file composes intents to one intent of the app
        .Ar NAME ,
        a shortcut.
        Clients list, describe and perform a shortcut like any intent.
        .Pp
        The steps are performed in the order of the file.
        The run of a step is a run of its own, with its worker, sandbox, limits, history and questions, and with the rights
        that its user has at the time.
        The run of the shortcut has no worker and occupies no slot.
        A step begins when the result of the step before is known.
        The process of that step may not have exited yet:
        .Cm Concurrency=
        and
        .Cm Exclusive=
        let programs that must not overlap wait for each other.
        .Pp
        A shortcut continues after a crash, an upgrade or a restart of intentd or of the machine.
        A step with a recorded end is never performed again.
        A step that was running when the machine stopped ends as lost.
        Without
        .Cm Durability=power ,
        a power failure can remove the record of a step that has just begun; the step is then performed again.
        A change of the file does not affect a run that has begun.
        What a step has returned, with its files, is kept while the shortcut runs, also beyond
        .Cm Keep= , KeepFiles=
        and
        .Cm MaxSize= .
        When it fills its user's share of
        .Cm MaxSize= ,
        the next step fails.
        A step for which there is no room in the backlog waits.
        .Pp
        The syntax of the file is that of
        .Xr intentd.conf 5 .
        The file may contain the sections below, and every section of
        .Xr intentd.app 5
        except
        .Li [Sandbox]
        and
        .Li [Intent NAME] ;
        of
        .Li [Limits] ,
        only
        .Cm QuestionTimeout= .
        \(authors)
        Changes take effect at the next request, without a reload.
        .Pp
        .Ql intentctl verify Ar FILE
        checks the names, the types and the values of a file, and
        .Ql intentctl run --local Ar FILE
        performs it without a service.
        .Sh VALUES
        A value is a template, with the words and quotes of
        .Xr intentd.command 5 .
        .Bl -tag -width Ds
        .It Li %{ Ns Ar name Ns Li }
        The value of a parameter, or the result of an earlier step.
        A template that is one placeholder is the value itself: a number, a file, an entity or a list.
        .It Li %{ Ns Ar name . Ns Ar part Ns Li }
        A part of the value: a member of an object, a property of an entity, the
        .Li count
        of a list, the
        .Li name
        of a file.
        For a list, the list of the parts of its elements.
        .It Li %{ Ns Ar name Ns Li \\&? Ns Ar text Ns Li \\&: Ns Ar other Ns Li }
        A text that depends on whether the value is true, or exists.
        .It Li %{item} , %{index}
        With
        .Cm ForEach= ,
        the element, and its number from 1.
        \(percentSign)
        .Pp
        Every reference must have a value on every path.
        The result of a step with
        .Cm If=
        can be used in steps with the same condition, and in
        .Li %{name?text:other} .
        .Sh SHORTCUTS OF A USER
        .Ql intentctl shortcut add Ar FILE
        stores the text of a file in intentd, for its user alone.
        intentd never opens the file, and a later change of it has no effect until it is added again;
        .Ql intentctl shortcut list
        says whether it differs.
        The file has only sections of the shortcut, and a user can store \(OwnShortcutText.countLimit).
        An installed app with the name of a shortcut takes precedence.
        .Sh AGENTS
        A person approves the request of an agent for a shortcut once.
        The question shows every step, and its digest covers the steps, the values and the versions of the apps.
        The approval covers the steps and what undoes them, except
        .Bl -bullet -compact
        .It
        a step of an app that has changed since the request,
        .It
        a step that destroys data, or to which
        .Cm Confirm=
        or
        .Cm ConfirmGroups=
        applies, with a value that comes from an earlier step or an answer, which the person has not seen,
        .It
        what undoes a step, if it destroys data, and
        .It
        another shortcut.
        .El
        These ask again.
        The tool
        .Li intent_plan
        of
        .Ql intentctl mcp
        takes a shortcut as JSON, with the keys above in small letters at the start.
        No approval of such a plan stays open
        .Pq Cm ApproveFor= .
        .Sh LIMITS
        A shortcut can have at most \(ShortcutPlan.runLimit) runs of steps, \(ShortcutPlan.parallelLimit) of them at a time,
        and a file of \(ShortcutPlan.byteLimit >> 10) KiB.

        """

    static let shortcutSection = """
        Declares the shortcut.
        \(nameForm)
        A file has one such section.
        """

    static let shortcutParameter = """
        Declares a parameter of the shortcut, with the keys of
        .Li [Intent NAME.Parameter NAME]
        in
        .Xr intentd.command 5
        except
        .Cm OptionsCommand= .

        """

    static let shortcutStep = """
        Declares a step.
        A step has exactly one of the keys
        .Cm Intent= , Shortcut= , Ask= , Choose=
        and
        .Cm Wait= .
        """

    static let shortcutEnd = """
        .Sh EXAMPLES
        A shortcut that undoes what it did if a step fails:
        .Bd -literal -offset indent
        [Shortcut Nightly]
        Title=Back up the database
        Result=%{pack}
        OnFailure=undo

        [Step dump]
        Intent=Database/Dump

        [Step pack]
        Intent=Archive/Compress
        Values=file=%{dump}
        Retry=3

        [Step send]
        Intent=Mail/Send
        Values=to=ada attachments=%{pack}
        .Ed
        \(seeAlso("intentctl 1", "intentd.app 5", "intentd.command 5", "intentd.conf 5", "intentd 8"))
        """
}
