import os

let shapesLogger = Logger(subsystem: "org.example.shapes", category: "os")
