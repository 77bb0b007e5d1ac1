// Source files for Apple's platforms import this module for the views that their intents show.
@_exported public import IntentViews
