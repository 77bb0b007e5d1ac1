// The attributes that contain a single string. Each attribute is stored under its name.

extension CSSearchableItemAttributeSet {
    /// The title of the content.
    @StoredByName public var title: String?

    /// The name shown in a list of results.
    @StoredByName public var displayName: String?

    /// The text shown below the name in a list of results.
    @StoredByName public var contentDescription: String?

    /// The path of the file.
    @StoredByName public var path: String?

    /// An identifier that the app chooses.
    @StoredByName public var identifier: String?

    /// The identifier of the item to which this item belongs.
    @StoredByName public var relatedUniqueIdentifier: String?

    /// The identifier of a related item. This item can exist without the related item.
    @StoredByName public var weakRelatedUniqueIdentifier: String?

    /// The identifier of the group to which this item belongs.
    @StoredByName public var domainIdentifier: String?

    /// The app that created the content.
    @StoredByName public var creator: String?

    /// The kind of content, as a string for display.
    @StoredByName public var kind: String?

    /// The subject of the content, such as the subject of a message.
    @StoredByName public var subject: String?

    /// The theme of the content.
    @StoredByName public var theme: String?

    /// The headline of an article.
    @StoredByName public var headline: String?

    /// A comment about the content.
    @StoredByName public var comment: String?

    /// Additional information about the content.
    @StoredByName public var information: String?

    /// The text of the content.
    @StoredByName public var textContent: String?

    /// The version of the content.
    @StoredByName public var version: String?

    /// The copyright and licence of the content.
    @StoredByName public var rights: String?

    /// The role of the content's creator.
    @StoredByName public var role: String?

    /// The identifier of the account to which the item belongs.
    @StoredByName public var accountIdentifier: String?

    /// The title of the item's container.
    @StoredByName public var containerTitle: String?

    /// The name of the item's container.
    @StoredByName public var containerDisplayName: String?

    /// The identifier of the item's container.
    @StoredByName public var containerIdentifier: String?

    /// An explanation of the rating.
    @StoredByName public var ratingDescription: String?

    /// The artist who performs the music.
    @StoredByName public var artist: String?

    /// The title of the album.
    @StoredByName public var album: String?

    /// The composer of the music.
    @StoredByName public var composer: String?

    /// The genre, such as "Jazz".
    @StoredByName public var genre: String?

    /// The city of the location.
    @StoredByName public var city: String?

    /// The state or province of the location.
    @StoredByName public var stateOrProvince: String?

    /// The country of the location.
    @StoredByName public var country: String?

    /// The complete address of the location, formatted as a single string.
    @StoredByName public var fullyFormattedAddress: String?

    /// The postal code of the location.
    @StoredByName public var postalCode: String?

    /// The name of the street.
    @StoredByName public var thoroughfare: String?

    /// The house number.
    @StoredByName public var subThoroughfare: String?

    /// The name of the location, such as the name of a building.
    @StoredByName public var namedLocation: String?
}
