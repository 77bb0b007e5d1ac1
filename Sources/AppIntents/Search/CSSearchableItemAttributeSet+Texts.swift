// The attributes that contain a single string. Each attribute is stored under its name.

extension CSSearchableItemAttributeSet {
    /// The title of the content.
    public var title: String? {
        get { self["title"] }
        set { self["title"] = newValue }
    }

    /// The name shown in a list of results.
    public var displayName: String? {
        get { self["displayName"] }
        set { self["displayName"] = newValue }
    }

    /// The text shown below the name in a list of results.
    public var contentDescription: String? {
        get { self["contentDescription"] }
        set { self["contentDescription"] = newValue }
    }

    /// The path of the file.
    public var path: String? {
        get { self["path"] }
        set { self["path"] = newValue }
    }

    /// An identifier that the app chooses.
    public var identifier: String? {
        get { self["identifier"] }
        set { self["identifier"] = newValue }
    }

    /// The identifier of the item to which this item belongs.
    public var relatedUniqueIdentifier: String? {
        get { self["relatedUniqueIdentifier"] }
        set { self["relatedUniqueIdentifier"] = newValue }
    }

    /// The identifier of a related item. This item can exist without the related item.
    public var weakRelatedUniqueIdentifier: String? {
        get { self["weakRelatedUniqueIdentifier"] }
        set { self["weakRelatedUniqueIdentifier"] = newValue }
    }

    /// The identifier of the group to which this item belongs.
    public var domainIdentifier: String? {
        get { self["domainIdentifier"] }
        set { self["domainIdentifier"] = newValue }
    }

    /// The app that created the content.
    public var creator: String? {
        get { self["creator"] }
        set { self["creator"] = newValue }
    }

    /// The kind of content, as a string for display.
    public var kind: String? {
        get { self["kind"] }
        set { self["kind"] = newValue }
    }

    /// The subject of the content, such as the subject of a message.
    public var subject: String? {
        get { self["subject"] }
        set { self["subject"] = newValue }
    }

    /// The theme of the content.
    public var theme: String? {
        get { self["theme"] }
        set { self["theme"] = newValue }
    }

    /// The headline of an article.
    public var headline: String? {
        get { self["headline"] }
        set { self["headline"] = newValue }
    }

    /// A comment about the content.
    public var comment: String? {
        get { self["comment"] }
        set { self["comment"] = newValue }
    }

    /// Additional information about the content.
    public var information: String? {
        get { self["information"] }
        set { self["information"] = newValue }
    }

    /// The text of the content.
    public var textContent: String? {
        get { self["textContent"] }
        set { self["textContent"] = newValue }
    }

    /// The version of the content.
    public var version: String? {
        get { self["version"] }
        set { self["version"] = newValue }
    }

    /// The copyright and licence of the content.
    public var rights: String? {
        get { self["rights"] }
        set { self["rights"] = newValue }
    }

    /// The role of the content's creator.
    public var role: String? {
        get { self["role"] }
        set { self["role"] = newValue }
    }

    /// The identifier of the account to which the item belongs.
    public var accountIdentifier: String? {
        get { self["accountIdentifier"] }
        set { self["accountIdentifier"] = newValue }
    }

    /// The title of the item's container.
    public var containerTitle: String? {
        get { self["containerTitle"] }
        set { self["containerTitle"] = newValue }
    }

    /// The name of the item's container.
    public var containerDisplayName: String? {
        get { self["containerDisplayName"] }
        set { self["containerDisplayName"] = newValue }
    }

    /// The identifier of the item's container.
    public var containerIdentifier: String? {
        get { self["containerIdentifier"] }
        set { self["containerIdentifier"] = newValue }
    }

    /// An explanation of the rating.
    public var ratingDescription: String? {
        get { self["ratingDescription"] }
        set { self["ratingDescription"] = newValue }
    }

    /// The artist who performs the music.
    public var artist: String? {
        get { self["artist"] }
        set { self["artist"] = newValue }
    }

    /// The title of the album.
    public var album: String? {
        get { self["album"] }
        set { self["album"] = newValue }
    }

    /// The composer of the music.
    public var composer: String? {
        get { self["composer"] }
        set { self["composer"] = newValue }
    }

    /// The genre, such as "Jazz".
    public var genre: String? {
        get { self["genre"] }
        set { self["genre"] = newValue }
    }

    /// The city of the location.
    public var city: String? {
        get { self["city"] }
        set { self["city"] = newValue }
    }

    /// The state or province of the location.
    public var stateOrProvince: String? {
        get { self["stateOrProvince"] }
        set { self["stateOrProvince"] = newValue }
    }

    /// The country of the location.
    public var country: String? {
        get { self["country"] }
        set { self["country"] = newValue }
    }

    /// The complete address of the location, formatted as a single string.
    public var fullyFormattedAddress: String? {
        get { self["fullyFormattedAddress"] }
        set { self["fullyFormattedAddress"] = newValue }
    }

    /// The postal code of the location.
    public var postalCode: String? {
        get { self["postalCode"] }
        set { self["postalCode"] = newValue }
    }

    /// The name of the street.
    public var thoroughfare: String? {
        get { self["thoroughfare"] }
        set { self["thoroughfare"] = newValue }
    }

    /// The house number.
    public var subThoroughfare: String? {
        get { self["subThoroughfare"] }
        set { self["subThoroughfare"] = newValue }
    }

    /// The name of the location, such as the name of a building.
    public var namedLocation: String? {
        get { self["namedLocation"] }
        set { self["namedLocation"] = newValue }
    }
}
