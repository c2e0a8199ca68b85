// The type of a generated attribute.

/** An attribute, as a schema file says it. */
export type Attribute = Readonly<Record<string, unknown>>
