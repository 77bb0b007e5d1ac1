import FoundationEssentials
@_spi(Reflection) import Swift

/// A stand-in for an entity, which finds the name of the property that a key path leads to.
///
/// A key path to `$title` calls a getter, and a program cannot read the getter's name. But each `@Property` is an
/// object, so the object that the getter returns identifies the property. An entity has no initialiser without
/// arguments, so the stand-in is a block of memory of the entity's size. In it, every `@Property` is a new object
/// without a value, and everything else is safe to copy and destroy: zero bits, or an enumeration case without a
/// payload.
final class EntityStandIn<Entity: AppEntity> {
    private let memory: UnsafeMutableRawPointer
    private let properties: [Property]
    /// Whether the entity is a class. If it is, the memory contains a reference to the instance.
    private let isClass: Bool

    private typealias Property = (name: String, property: any AnyEntityProperty)

    /// Creates a stand-in; nil if no safe value is known for a part of the entity, such as an enumeration with a
    /// payload in each case.
    init?() {
        var properties: [Property] = []
        var isComplete = true
        if let type = Entity.self as? AnyClass {
            guard let object = TypeLayout.allocateObject(of: type) else { return nil }
            // The option `.classType`, by its raw value: Swift 6 forbids access to the global variable `.classType`.
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
        // Leak the instance of a class: releasing it would run the app's `deinit` on uninitialised properties.
        memory.deallocate()
        for entry in properties where !isClass {
            // SAFETY: balances the retain in `put` — this memory is the only owner, and does not release by itself.
            Unmanaged.passUnretained(entry.property as AnyObject).release()
        }
    }

    /// Returns the property's name in the source; nil if the key path does not lead to a property of this entity.
    func name(at keyPath: PartialKeyPath<Entity>) -> String? {
        // A longer path would read the value of a property, which the stand-in does not have.
        guard Self.isOneStep(keyPath) else { return nil }
        // SAFETY: a property's getter treats the memory as an entity: it reads a reference that exists, and copies only
        // what is safe to copy — `fill`.
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
        at address: UnsafeMutableRawPointer,
        prefix: String = "",
        into properties: inout [Property]
    ) {
        guard let type = type as? any AnyEntityProperty.Type else { return }
        let property = type.init()
        // SAFETY: the address is that of a zeroed field for a reference to an object of this class — `_forEachField`.
        address.storeBytes(
            of: Unmanaged.passRetained(property as AnyObject).toOpaque(),
            as: UnsafeMutableRawPointer.self
        )
        properties.append((prefix + (label.hasPrefix("_") ? String(label.dropFirst()) : label), property))
    }
}

extension EntityStandIn {
    /// Makes zeroed memory safe to copy and destroy. Returns false if no safe value is known for the type.
    private static func fill(
        _ address: UnsafeMutableRawPointer,
        as type: Any.Type,
        prefix: String,
        _ properties: inout [Property]
    ) -> Bool {
        var found: [(name: String, offset: Int, type: Any.Type, kind: _MetadataKind)] = []
        _ = _forEachField(of: type) { name, offset, type, kind in
            found.append((String(cString: name), offset, type, kind))
            return true
        }
        // A non-trivial type without visible fields is not a Swift type.
        guard !found.isEmpty || TypeLayout.isTrivial(type) else { return false }
        for part in found {
            let address = address + part.offset
            if part.type is any AnyEntityProperty.Type {
                put(part.type, named: part.name, at: address, prefix: prefix, into: &properties)
                continue
            }
            if TypeLayout.isTrivial(part.type) { continue }
            if let type = part.type as? any EmptyValue.Type {
                type.putEmpty(at: address)
                continue
            }
            switch part.kind {
            case .class, .objcClassWrapper, .foreignClass, .opaque, .function: break
            case .struct, .tuple:
                let prefix = prefix + part.name + "."
                guard fill(address, as: part.type, prefix: prefix, &properties) else { return false }
            case .optional, .enum:
                guard TypeLayout.storeEmptyCase(at: address, of: part.type) else { return false }
            case .existential: TypeLayout.storeExistential(at: address, of: part.type)
            case .metatype, .existentialMetatype, .heapLocalVariable, .heapGenericLocalVariable, .errorObject,
                .unknown:
                return false
            @unknown default: return false
            }
        }
        return true
    }
}

/// A type that needs an empty value instead of zero bits, because a getter may read its count.
private protocol EmptyValue {
    init()
}

extension EmptyValue {
    /// Initialises the memory with an empty value.
    ///
    /// - Precondition: The memory contains no value that must be released.
    fileprivate static func putEmpty(at address: UnsafeMutableRawPointer) {
        address.initializeMemory(as: Self.self, to: Self())
    }
}

extension String: EmptyValue {}
extension Array: EmptyValue {}
extension Dictionary: EmptyValue {}
extension Set: EmptyValue {}
extension Data: EmptyValue {}
