// Takes unions of types apart, for types that are computed from what a caller has written. Knows no option.

/** The keys that the members of a union name. */
export type KeysOf<Union> = Union extends unknown ? keyof Union : never

/** The items of the lists in a union. */
export type ItemsOf<Union> = Union extends readonly (infer Item)[] ? Item : never

/** The values of a key in the members of a union that have it. */
export type MembersAt<Union, Key> = Union extends unknown ? (Key extends keyof Union ? Union[Key] : never) : never

/** Values without members that options could name. */
export type Plain = string | number | bigint | boolean | null | undefined | Date

/** An object type whose members are shown one by one. */
export type Shown<T> = { [Key in keyof T]: T[Key] } & {}
