/// The keys of `[Access]`, which are also valid in `[Intent NAME]`.
enum AccessKey: String, SettingKey {
    case allowUsers = "AllowUsers"
    case allowGroups = "AllowGroups"
    case confirm = "Confirm"
    case confirmGroups = "ConfirmGroups"

    var manual: SettingManual {
        switch self {
        case .allowUsers:
            SettingManual(
                .list(name: "user", of: "names or uids, separated by spaces"),
                standard: "every user who can connect",
                example: "ada 1002",
                """
                The users who may run intents.
                A name refers to the account that currently has it, and a number to any account with that uid.
                A name with
                .Li @
                is a caller of a
                .Cm Realm=
                .Pq Xr intentd.conf 5 ,
                or a user of a fleet.
                Root may always run intents.
                If
                .Cm AllowUsers=
                or
                .Cm AllowGroups=
                is set, no other users may run intents.
                An empty value clears the list, and no user except root is then permitted.
                For a single intent, the keys in
                .Li [Intent NAME]
                override those in
                .Li [Access] .
                """
            )
        case .allowGroups:
            SettingManual(
                .list(name: "group", of: "names or gids, separated by spaces"),
                standard: "every user who can connect",
                example: "backup",
                """
                The groups that may run intents, in addition to the users in
                .Cm AllowUsers= .
                """
            )
        case .confirm:
            SettingManual(
                .choice(["asker", "other"]),
                standard: "asker",
                example: "other",
                """
                Determines who may answer a confirmation of a run.
                With
                .Cm asker ,
                the caller may answer it, even in advance with
                .Fl Fl yes .
                With
                .Cm other ,
                another user who may run the intent must answer it, and
                .Fl Fl yes
                has no effect.
                An invalid value has the effect of
                .Cm other .
                """
            )
        case .confirmGroups:
            SettingManual(
                .list(name: "group", of: "names or gids, separated by spaces"),
                example: "approvers",
                """
                The groups with members who may answer a confirmation.
                The caller may not answer it, even as a member.
                The key implies
                .Cm Confirm=other .
                An empty value clears the list, and no user may then confirm.
                """
            )
        }
    }
}
