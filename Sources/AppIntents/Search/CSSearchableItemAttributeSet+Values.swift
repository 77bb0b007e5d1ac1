public import Foundation

// The attributes that contain lists, dates, URLs, bytes and numbers. Each attribute is stored under its name.

extension CSSearchableItemAttributeSet {
    /// Alternative names of the item.
    public var alternateNames: [String]? {
        get { self["alternateNames"] }
        set { self["alternateNames"] = newValue }
    }

    /// Keywords that describe the content.
    public var keywords: [String]? {
        get { self["keywords"] }
        set { self["keywords"] = newValue }
    }

    /// The content's type and the types to which it conforms.
    public var contentTypeTree: [String]? {
        get { self["contentTypeTree"] }
        set { self["contentTypeTree"] = newValue }
    }

    /// The sources of the content.
    public var contentSources: [String]? {
        get { self["contentSources"] }
        set { self["contentSources"] = newValue }
    }

    /// The languages of the content.
    public var languages: [String]? {
        get { self["languages"] }
        set { self["languages"] = newValue }
    }

    /// The publishers of the content.
    public var publishers: [String]? {
        get { self["publishers"] }
        set { self["publishers"] = newValue }
    }

    /// The organisations that created the content.
    public var organizations: [String]? {
        get { self["organizations"] }
        set { self["organizations"] = newValue }
    }

    /// The people who contributed to the content.
    public var contributors: [String]? {
        get { self["contributors"] }
        set { self["contributors"] = newValue }
    }

    /// The projects to which the content belongs.
    public var projects: [String]? {
        get { self["projects"] }
        set { self["projects"] = newValue }
    }

    /// The names of the authors.
    public var authorNames: [String]? {
        get { self["authorNames"] }
        set { self["authorNames"] = newValue }
    }

    /// The email addresses of the authors.
    public var authorEmailAddresses: [String]? {
        get { self["authorEmailAddresses"] }
        set { self["authorEmailAddresses"] = newValue }
    }

    /// The names of the recipients.
    public var recipientNames: [String]? {
        get { self["recipientNames"] }
        set { self["recipientNames"] = newValue }
    }

    /// The email addresses of the recipients.
    public var recipientEmailAddresses: [String]? {
        get { self["recipientEmailAddresses"] }
        set { self["recipientEmailAddresses"] = newValue }
    }

    /// The names by which the account is known, such as user names.
    public var accountHandles: [String]? {
        get { self["accountHandles"] }
        set { self["accountHandles"] = newValue }
    }

    /// The identifiers of the mailboxes that contain the message.
    public var mailboxIdentifiers: [String]? {
        get { self["mailboxIdentifiers"] }
        set { self["mailboxIdentifiers"] = newValue }
    }

    /// The email addresses of the contact.
    public var emailAddresses: [String]? {
        get { self["emailAddresses"] }
        set { self["emailAddresses"] = newValue }
    }

    /// The telephone numbers of the contact.
    public var phoneNumbers: [String]? {
        get { self["phoneNumbers"] }
        set { self["phoneNumbers"] = newValue }
    }

    /// The identifiers of the actions that the app performs on the item.
    public var actionIdentifiers: [String]? {
        get { self["actionIdentifiers"] }
        set { self["actionIdentifiers"] = newValue }
    }
}

extension CSSearchableItemAttributeSet {
    /// The time at which the content was created.
    public var contentCreationDate: Date? {
        get { self["contentCreationDate"] }
        set { self["contentCreationDate"] = newValue }
    }

    /// The time at which the content was modified.
    public var contentModificationDate: Date? {
        get { self["contentModificationDate"] }
        set { self["contentModificationDate"] = newValue }
    }

    /// The time at which these attributes were modified.
    public var metadataModificationDate: Date? {
        get { self["metadataModificationDate"] }
        set { self["metadataModificationDate"] = newValue }
    }

    /// The time at which the item was added.
    public var addedDate: Date? {
        get { self["addedDate"] }
        set { self["addedDate"] = newValue }
    }

    /// The time at which the item was downloaded.
    public var downloadedDate: Date? {
        get { self["downloadedDate"] }
        set { self["downloadedDate"] = newValue }
    }

    /// The time at which the item was last used.
    public var lastUsedDate: Date? {
        get { self["lastUsedDate"] }
        set { self["lastUsedDate"] = newValue }
    }

    /// The time at which the item is due.
    public var dueDate: Date? {
        get { self["dueDate"] }
        set { self["dueDate"] = newValue }
    }

    /// The time at which the event starts.
    public var startDate: Date? {
        get { self["startDate"] }
        set { self["startDate"] = newValue }
    }

    /// The time at which the event ends.
    public var endDate: Date? {
        get { self["endDate"] }
        set { self["endDate"] = newValue }
    }

    /// The time at which the item was completed.
    public var completionDate: Date? {
        get { self["completionDate"] }
        set { self["completionDate"] = newValue }
    }
}

extension CSSearchableItemAttributeSet {
    /// The URL of the content.
    public var contentURL: URL? {
        get { self["contentURL"] }
        set { self["contentURL"] = newValue }
    }

    /// The URL of a thumbnail image.
    public var thumbnailURL: URL? {
        get { self["thumbnailURL"] }
        set { self["thumbnailURL"] = newValue }
    }
}

extension CSSearchableItemAttributeSet {
    /// The bytes of a thumbnail image.
    public var thumbnailData: Data? {
        get { self["thumbnailData"] }
        set { self["thumbnailData"] = newValue }
    }
}

extension CSSearchableItemAttributeSet {
    /// True if an event lasts all day.
    public var allDay: NSNumber? {
        get { self["allDay"] }
        set { self["allDay"] = newValue }
    }

    /// The duration of the media, in seconds.
    public var duration: NSNumber? {
        get { self["duration"] }
        set { self["duration"] = newValue }
    }

    /// The rating, from 0 to 5 stars.
    public var rating: NSNumber? {
        get { self["rating"] }
        set { self["rating"] = newValue }
    }

    /// The number of times that the item was played.
    public var playCount: NSNumber? {
        get { self["playCount"] }
        set { self["playCount"] = newValue }
    }

    /// The position of the item in its container.
    public var containerOrder: NSNumber? {
        get { self["containerOrder"] }
        set { self["containerOrder"] = newValue }
    }

    /// The latitude of the location, in degrees.
    public var latitude: NSNumber? {
        get { self["latitude"] }
        set { self["latitude"] = newValue }
    }

    /// The longitude of the location, in degrees.
    public var longitude: NSNumber? {
        get { self["longitude"] }
        set { self["longitude"] = newValue }
    }

    /// The altitude of the location, in metres.
    public var altitude: NSNumber? {
        get { self["altitude"] }
        set { self["altitude"] = newValue }
    }

    /// True if a person can request directions to the location.
    public var supportsNavigation: NSNumber? {
        get { self["supportsNavigation"] }
        set { self["supportsNavigation"] = newValue }
    }

    /// True if a person can call the telephone number.
    public var supportsPhoneCall: NSNumber? {
        get { self["supportsPhoneCall"] }
        set { self["supportsPhoneCall"] = newValue }
    }

    /// The number of pages.
    public var pageCount: NSNumber? {
        get { self["pageCount"] }
        set { self["pageCount"] = newValue }
    }

    /// The size of the file in bytes.
    public var fileSize: NSNumber? {
        get { self["fileSize"] }
        set { self["fileSize"] = newValue }
    }

    /// The height of the image, in pixels.
    public var pixelHeight: NSNumber? {
        get { self["pixelHeight"] }
        set { self["pixelHeight"] = newValue }
    }

    /// The width of the image, in pixels.
    public var pixelWidth: NSNumber? {
        get { self["pixelWidth"] }
        set { self["pixelWidth"] = newValue }
    }

    /// The rank of the item among the app's items, from 0 to 100. A higher rank is more important.
    public var rankingHint: NSNumber? {
        get { self["rankingHint"] }
        set { self["rankingHint"] = newValue }
    }

    /// True if the person created the item.
    public var userCreated: NSNumber? {
        get { self["userCreated"] }
        set { self["userCreated"] = newValue }
    }

    /// True if the person owns the item.
    public var userOwned: NSNumber? {
        get { self["userOwned"] }
        set { self["userOwned"] = newValue }
    }

    /// True if the person selected the item.
    public var userCurated: NSNumber? {
        get { self["userCurated"] }
        set { self["userCurated"] = newValue }
    }
}
