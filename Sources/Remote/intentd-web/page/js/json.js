// JSON with whole numbers of any size.

/** Reads JSON. A whole number that a JavaScript number cannot represent becomes a BigInt. */
export function parse(text) {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (key, value, context) =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
      ? BigInt(context.source)
      : value);
}

export function stringify(value, indent) {
  return JSON.stringify(value, (key, item) => (typeof item === "bigint" ? (JSON.rawJSON?.(String(item)) ?? Number(item)) : item), indent);
}
