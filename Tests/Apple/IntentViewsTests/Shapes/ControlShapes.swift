import AppIntents
import SwiftUI

extension ViewShape {
    static let controls: [ViewShape] = [
        ViewShape("a button", "BakeBread(count: 2, loaf: rye)\n  'Bake'") {
            Button("Bake", intent: BakeBread(loaf: LoafEntity(id: "rye"), count: 2)).buttonStyle(.bordered)
        },
        ViewShape(
            "a button with a label",
            "BakeBread(count: 1, loaf: oat) in:orange\n  horizontal\n    symbol flame\n    'Bake'"
        ) {
            Button(intent: BakeBread(loaf: LoafEntity(id: "oat"))) { Label("Bake", systemImage: "flame") }
                .tint(.orange)
        },
        ViewShape("a destructive button", "HeatOven(degrees: 0) destructive\n  'Cool'") {
            Button("Cool", role: .destructive, intent: HeatOven(degrees: 0))
        },
        ViewShape("a button with a symbol", "HeatOven(degrees: 9)\n  horizontal\n    symbol plus\n    'Warmer'") {
            Button("Warmer", systemImage: "plus", intent: HeatOven(degrees: 9)).labelStyle(.titleAndIcon)
        },
        ViewShape("a button's label has its own style", "HeatOven(degrees: 9)\n  'Warmer'") {
            Button("Warmer", intent: HeatOven(degrees: 9)).foregroundStyle(.secondary)
        },
        ViewShape("a disabled button", "'Warmer' in:secondary") {
            Button("Warmer", intent: HeatOven(degrees: 9)).disabled(true)
        },
        ViewShape("a button with a closure", "'Close'") {
            Button("Close") { preconditionFailure("a snippet contains no code") }
        },
        ViewShape("a switch that is on", "LightOven(value: false) on\n  'Oven'") {
            Toggle("Oven", isOn: true, intent: LightOven())
        },
        ViewShape("a switch of an intent that sets nothing", "HeatOven(degrees: 5) off\n  symbol flame") {
            Toggle(isOn: false, intent: HeatOven(degrees: 5)) { Image(systemName: "flame") }.toggleStyle(.button)
        },
        ViewShape("a toggle with a binding", "horizontal\n  symbol checkmark.circle.fill\n  'Oven'") {
            Toggle("Oven", isOn: .constant(true))
        },
        ViewShape("a link", "link https://example.org/menu\n  'Menu'") {
            if let url = URL(string: "https://example.org/menu") { Link("Menu", destination: url) }
        },
        ViewShape("progress", "progress 0.25\n  'Baking'") { ProgressView("Baking", value: 1, total: 4) },
        ViewShape("progress of unknown length", "progress ? in:red") { ProgressView().tint(.red) },
        ViewShape("progress beyond its total", "progress 1.0") { ProgressView(value: 9.0, total: 4) },
        ViewShape("progress of no total", "progress ?") { ProgressView(value: 0.0, total: 0) },
        ViewShape("a level", "progress 0.5\n  'Heat'\n  '150°'\n  '0'\n  '300'") {
            Gauge(value: 150, in: 0...300) {
                Text("Heat")
            } currentValueLabel: {
                Text("150°")
            } minimumValueLabel: {
                Text("0")
            } maximumValueLabel: {
                Text("300")
            }
            .gaugeStyle(.accessoryCircular)
        },
        ViewShape(
            "a bakery",
            """
            vertical padded at:leading
              horizontal
                symbol storefront title
                'Bakery' title bold
              divider
              horizontal on:yellow padded rounded
                symbol flame.fill in:orange
                vertical at:leading
                  'Rye' headline
                  'Still warm' caption in:secondary
                spacer
                BakeBread(count: 1, loaf: rye) in:orange
                  'Bake'
              horizontal on:yellow padded rounded
                symbol circle in:secondary
                vertical at:leading
                  'Oat' headline
                spacer
                BakeBread(count: 1, loaf: oat) in:orange
                  'Bake'
              LightOven(value: false) on
                'Oven'
            """
        ) {
            BakeryView(loaves: [LoafEntity(id: "rye"), LoafEntity(id: "oat")])
        },
    ]
}
