import FoundationEssentials
@_spi(Reflection) import Swift

/// Something that looks like an entity to a key path, so that it can be seen to which property one leads.
///
/// A key path to `$title` is a getter, and nothing in a program tells its name. But a property is an object, so the one
/// that a getter returns can be recognised, as the parameters of an intent are. An entity, unlike an intent, has no
/// initialiser that makes one from nothing. This is memory of an entity's size, in which every `@Property` is a new
/// one without a value, and the rest is what may be copied and dropped: zero bits, and an enum's case without payload.
final class EntityLikeness<Entity: AppEntity> {
    private let memory: UnsafeMutableRawPointer
    private let properties: [Property]
    /// The memory is an object's, and holds a reference to it.
    private let isClass: Bool

    private typealias Property = (name: String, property: any AnyEntityProperty)

    /// Nil where a part of the entity is of a kind that nothing is known to stand for: an enum whose cases all have
    /// payloads.
    init?() {
        var properties: [Property] = []
        var isComplete = true
        if let type = Entity.self as? AnyClass {
            guard let object = TypeLayout.allocateObject(of: type) else { return nil }
            // `.classType` by its number: Swift 6 lets no one read the variable that has it.
            _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
                Self.put(type, named: String(cString: name), at: object + offset, into: &properties)
                return true
            }
            memory = .allocate(byteCount: MemoryLayout<Int>.size, alignment: MemoryLayout<Int>.alignment)
            memory.storeBytes(of: object, as: UnsafeMutableRawPointer.self)
            isClass = true
        } else {
            memory = .allocate(
                byteCount: max(MemoryLayout<Entity>.size, 1),
                alignment: MemoryLayout<Entity>.alignment
            )
            memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(MemoryLayout<Entity>.size, 1))
            isClass = false
            isComplete = Self.fill(memory, as: Entity.self, prefix: "", &properties)
        }
        self.properties = properties
        guard isComplete else { return nil }
    }

    deinit {
        // The object of a class stays: to end it would run the app's `deinit` on parts that have no value.
        memory.deallocate()
        for entry in properties where !isClass {
            // SAFETY: balances the retain of `put` — this memory is the only holder that never lets go by itself.
            Unmanaged.passUnretained(entry.property as AnyObject).release()
        }
    }

    /// The property's name in the source; nil for a key path that leads elsewhere.
    func name(at keyPath: PartialKeyPath<Entity>) -> String? {
        // One step and no more: a longer way reads the value of a property, which has none here.
        guard Self.isOneStep(keyPath) else { return nil }
        // SAFETY: the memory looks like an entity to a getter of a property, which reads a reference that is there; what
        // it copies besides may be copied — `fill`.
        let found = memory.assumingMemoryBound(to: Entity.self).pointee[keyPath: keyPath] as AnyObject
        return properties.first { $0.property === found }?.name
    }

    private static func isOneStep(_ keyPath: PartialKeyPath<Entity>) -> Bool {
        var depth = 0
        var steps = 0
        for character in keyPath.debugDescription {
            switch character {
            case "<", "(", "[": depth += 1
            case ">", ")", "]": depth -= 1
            case "." where depth == 0: steps += 1
            case "?" where depth == 0, "!" where depth == 0: return false
            default: break
            }
        }
        return steps == 1
    }

    private static func put(
        _ type: Any.Type,
        named label: String,
        at place: UnsafeMutableRawPointer,
        prefix: String = "",
        into properties: inout [Property]
    ) {
        guard let type = type as? any AnyEntityProperty.Type else { return }
        let property = type.init()
        // SAFETY: the place is one of a reference to an object of that class, in memory that is zero — `_forEachField`.
        place.storeBytes(
            of: Unmanaged.passRetained(property as AnyObject).toOpaque(),
            as: UnsafeMutableRawPointer.self
        )
        properties.append((prefix + (label.hasPrefix("_") ? String(label.dropFirst()) : label), property))
    }
}

extension EntityLikeness {
    /// Makes zero bits a thing that can be copied and dropped; false where that is not known.
    private static func fill(
        _ place: UnsafeMutableRawPointer,
        as type: Any.Type,
        prefix: String,
        _ properties: inout [Property]
    ) -> Bool {
        var found: [(name: String, offset: Int, type: Any.Type, kind: _MetadataKind)] = []
        _ = _forEachField(of: type) { name, offset, type, kind in
            found.append((String(cString: name), offset, type, kind))
            return true
        }
        // A type with parts that are counted, and none that can be seen: made elsewhere than in Swift.
        guard !found.isEmpty || TypeLayout.isTrivial(type) else { return false }
        for part in found {
            let place = place + part.offset
            if part.type is any AnyEntityProperty.Type {
                put(part.type, named: part.name, at: place, prefix: prefix, into: &properties)
                continue
            }
            if TypeLayout.isTrivial(part.type) { continue }
            if let type = part.type as? any EmptyValue.Type {
                type.putEmpty(at: place)
                continue
            }
            switch part.kind {
            case .class, .objcClassWrapper, .foreignClass, .opaque, .function: break
            case .struct, .tuple:
                let prefix = prefix + part.name + "."
                guard fill(place, as: part.type, prefix: prefix, &properties) else { return false }
            case .optional, .enum:
                guard TypeLayout.makeEmptyCase(at: place, of: part.type) else { return false }
            case .existential: TypeLayout.makeSomething(at: place, of: part.type)
            case .metatype, .existentialMetatype, .heapLocalVariable, .heapGenericLocalVariable, .errorObject,
                .unknown:
                return false
            @unknown default: return false
            }
        }
        return true
    }
}

/// Of these a getter may read a count: zero bits are no empty one.
private protocol EmptyValue {
    init()
}

extension EmptyValue {
    /// - Precondition: Nothing is there that would have to be let go.
    fileprivate static func putEmpty(at place: UnsafeMutableRawPointer) {
        place.initializeMemory(as: Self.self, to: Self())
    }
}

extension String: EmptyValue {}
extension Array: EmptyValue {}
extension Dictionary: EmptyValue {}
extension Set: EmptyValue {}
extension Data: EmptyValue {}
