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
                A name means the account that has it now.
                A number means any account with that uid.
                Root may always run them.
                Once one of
                .Cm AllowUsers=
                and
                .Cm AllowGroups=
                is written, other users may not; an empty value clears the list, and permits no user.
                For one intent, the keys in
                .Li [Intent NAME]
                override the keys in
                .Li [Access] .
                """
            )
        case .allowGroups:
            SettingManual(
                .list(name: "group", of: "names or gids, separated by spaces"),
                standard: "every user who can connect",
                example: "backup",
                """
                The groups with members who may run intents, in addition to
                .Cm AllowUsers= .
                """
            )
        case .confirm:
            SettingManual(
                .choice(["asker", "other"]),
                standard: "asker",
                example: "other",
                """
                The users who may answer a confirmation of a run.
                With
                .Cm asker ,
                the caller may, also in advance by
                .Fl Fl yes .
                With
                .Cm other ,
                another user who may run the intent must, and
                .Fl Fl yes
                has no effect.
                A mistyped value counts as
                .Cm other .
                """
            )
        case .confirmGroups:
            SettingManual(
                .list(name: "group", of: "names or gids, separated by spaces"),
                standard: "none",
                example: "approvers",
                """
                The groups with members, other than the caller, who may answer a confirmation.
                The key implies
                .Cm Confirm=other .
                An empty value clears the list, and no user may confirm.
                """
            )
        }
    }
}
