public import Foundation

// The attributes that contain lists, dates, URLs, bytes and numbers. Each attribute is stored under its name.

extension CSSearchableItemAttributeSet {
    /// Alternative names of the item.
    @StoredByName public var alternateNames: [String]?

    /// Keywords that describe the content.
    @StoredByName public var keywords: [String]?

    /// The content's type and the types to which it conforms.
    @StoredByName public var contentTypeTree: [String]?

    /// The sources of the content.
    @StoredByName public var contentSources: [String]?

    /// The languages of the content.
    @StoredByName public var languages: [String]?

    /// The publishers of the content.
    @StoredByName public var publishers: [String]?

    /// The organisations that created the content.
    @StoredByName public var organizations: [String]?

    /// The people who contributed to the content.
    @StoredByName public var contributors: [String]?

    /// The projects to which the content belongs.
    @StoredByName public var projects: [String]?

    /// The names of the authors.
    @StoredByName public var authorNames: [String]?

    /// The email addresses of the authors.
    @StoredByName public var authorEmailAddresses: [String]?

    /// The names of the recipients.
    @StoredByName public var recipientNames: [String]?

    /// The email addresses of the recipients.
    @StoredByName public var recipientEmailAddresses: [String]?

    /// The names by which the account is known, such as user names.
    @StoredByName public var accountHandles: [String]?

    /// The identifiers of the mailboxes that contain the message.
    @StoredByName public var mailboxIdentifiers: [String]?

    /// The email addresses of the contact.
    @StoredByName public var emailAddresses: [String]?

    /// The telephone numbers of the contact.
    @StoredByName public var phoneNumbers: [String]?

    /// The identifiers of the actions that the app performs on the item.
    @StoredByName public var actionIdentifiers: [String]?
}

extension CSSearchableItemAttributeSet {
    /// The time at which the content was created.
    @StoredByName public var contentCreationDate: Date?

    /// The time at which the content was modified.
    @StoredByName public var contentModificationDate: Date?

    /// The time at which these attributes were modified.
    @StoredByName public var metadataModificationDate: Date?

    /// The time at which the item was added.
    @StoredByName public var addedDate: Date?

    /// The time at which the item was downloaded.
    @StoredByName public var downloadedDate: Date?

    /// The time at which the item was last used.
    @StoredByName public var lastUsedDate: Date?

    /// The time at which the item is due.
    @StoredByName public var dueDate: Date?

    /// The time at which the event starts.
    @StoredByName public var startDate: Date?

    /// The time at which the event ends.
    @StoredByName public var endDate: Date?

    /// The time at which the item was completed.
    @StoredByName public var completionDate: Date?
}

extension CSSearchableItemAttributeSet {
    /// The URL of the content.
    @StoredByName public var contentURL: URL?

    /// The URL of a thumbnail image.
    @StoredByName public var thumbnailURL: URL?
}

extension CSSearchableItemAttributeSet {
    /// The bytes of a thumbnail image.
    @StoredByName public var thumbnailData: Data?
}

extension CSSearchableItemAttributeSet {
    /// True if an event lasts all day.
    @StoredByName public var allDay: NSNumber?

    /// The duration of the media, in seconds.
    @StoredByName public var duration: NSNumber?

    /// The rating, from 0 to 5 stars.
    @StoredByName public var rating: NSNumber?

    /// The number of times that the item was played.
    @StoredByName public var playCount: NSNumber?

    /// The position of the item in its container.
    @StoredByName public var containerOrder: NSNumber?

    /// The latitude of the location, in degrees.
    @StoredByName public var latitude: NSNumber?

    /// The longitude of the location, in degrees.
    @StoredByName public var longitude: NSNumber?

    /// The altitude of the location, in metres.
    @StoredByName public var altitude: NSNumber?

    /// True if a person can request directions to the location.
    @StoredByName public var supportsNavigation: NSNumber?

    /// True if a person can call the telephone number.
    @StoredByName public var supportsPhoneCall: NSNumber?

    /// The number of pages.
    @StoredByName public var pageCount: NSNumber?

    /// The size of the file in bytes.
    @StoredByName public var fileSize: NSNumber?

    /// The height of the image, in pixels.
    @StoredByName public var pixelHeight: NSNumber?

    /// The width of the image, in pixels.
    @StoredByName public var pixelWidth: NSNumber?

    /// The rank of the item among the app's items, from 0 to 100. A higher rank is more important.
    @StoredByName public var rankingHint: NSNumber?

    /// True if the person created the item.
    @StoredByName public var userCreated: NSNumber?

    /// True if the person owns the item.
    @StoredByName public var userOwned: NSNumber?

    /// True if the person selected the item.
    @StoredByName public var userCurated: NSNumber?
}
