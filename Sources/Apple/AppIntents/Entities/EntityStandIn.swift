import FoundationEssentials
import IntentSharedTypes
@_spi(Reflection) import Swift

/// A stand-in for an entity, used to find the name of the property to which a key path refers.
///
/// A key path to `$title` calls a getter, and the getter's name cannot be read at run time. However, each `@Property`
/// is an object, so the object that the getter returns identifies the property. An entity has no initialiser without
/// arguments, so the stand-in is a block of memory of the entity's size. In this memory, every `@Property` is a new
/// object without a value, and every other field is safe to copy and destroy: it is zero, an empty string or
/// collection, or an enumeration case without a payload.
final class EntityStandIn<Entity: AppEntity> {
    private let memory: UnsafeMutableRawPointer
    private let properties: [Property]
    /// True if the entity is a class. The memory then contains a reference to the instance.
    private let isClass: Bool

    private typealias Property = (name: String, property: any AnyEntityProperty)

    /// Creates a stand-in. Returns nil if the entity has a field for which no safe value is known, such as an
    /// enumeration in which every case has a payload.
    init?() {
        var properties: [Property] = []
        var isComplete = true
        if let type = Entity.self as? AnyClass {
            guard let object = TypeLayout.allocateObject(of: type) else { return nil }
            // Use the raw value of `.classType`, because Swift 6 does not permit access to that global variable.
            _ = _forEachField(of: type, options: _EachFieldOptions(rawValue: 1)) { name, offset, type, _ in
                Self.put(type, named: String(foreign: name), at: object + offset, into: &properties)
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
        // Do not release the instance of a class: its `deinit`, which is app code, would access uninitialised
        // properties.
        memory.deallocate()
        for entry in properties where !isClass {
            // SAFETY: the release balances the retain in `put` — ensured by this class, which alone owns the memory.
            Unmanaged.passUnretained(entry.property as AnyObject).release()
        }
    }

    /// Returns the name of a property in the Swift source; nil if the key path does not refer to a property of this
    /// entity.
    func name(at keyPath: PartialKeyPath<Entity>) -> String? {
        // A longer key path would read the property's value, which the stand-in does not have.
        guard Self.isOneStep(keyPath) else { return nil }
        // SAFETY: a property's getter treats the memory as an entity: it reads a reference to an existing object and
        // copies only fields that are safe to copy — ensured by `fill`.
        let found = memory.assumingMemoryBound(to: Entity.self).pointee[keyPath: keyPath] as AnyObject
        // A computed or deferred property is not among `properties`, but contains its own name.
        if let name = (found as? any AnyEntityProperty)?.computedName { return name }
        return properties.first { $0.property === found }?.name
    }

    private static func isOneStep(_ keyPath: PartialKeyPath<Entity>) -> Bool {
        var depth = 0
        var steps = 0
        for scalar in keyPath.debugDescription.unicodeScalars {
            switch scalar {
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
        // SAFETY: the address is a zeroed field for a reference to an object of this class — ensured
        // by `_forEachField`.
        address.storeBytes(
            of: Unmanaged.passRetained(property as AnyObject).toOpaque(),
            as: UnsafeMutableRawPointer.self
        )
        let name = label.hasPrefix(utf8: "_") ? String(label.dropFirst(scalars: 1)) : label
        properties.append((prefix + name, property))
    }
}

extension EntityStandIn {
    /// Makes zeroed memory safe to copy and destroy. Returns false if no safe value of the type is known.
    private static func fill(
        _ address: UnsafeMutableRawPointer,
        as type: Any.Type,
        prefix: String,
        _ properties: inout [Property]
    ) -> Bool {
        var found: [(name: String, offset: Int, type: Any.Type, kind: _MetadataKind)] = []
        _ = _forEachField(of: type) { name, offset, type, kind in
            found.append((String(foreign: name), offset, type, kind))
            return true
        }
        // A type that is not trivial but has no visible fields is not a Swift type, so no safe value is known.
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

/// A type that needs an empty value instead of zeroed memory, because a getter may read its count.
private protocol EmptyValue {
    init()
}

extension EmptyValue {
    /// Initialises the memory with an empty value of the type.
    ///
    /// - Precondition: The memory contains no value that would have to be released.
    fileprivate static func putEmpty(at address: UnsafeMutableRawPointer) {
        address.initializeMemory(as: Self.self, to: Self())
    }
}

extension String: EmptyValue {}
extension Array: EmptyValue {}
extension Dictionary: EmptyValue {}
extension Set: EmptyValue {}
extension Data: EmptyValue {}
