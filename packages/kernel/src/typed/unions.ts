// Takes unions of types apart, for types that are computed from what a caller has written. Knows no option and no setting.

/** The keys that the members of a union name. */
export type KeysOf<Union> = Union extends unknown ? keyof Union : never

/** The items of the lists in a union. */
export type ItemsOf<Union> = Union extends readonly (infer Item)[] ? Item : never

/** Values without members that options or settings could name. */
export type Plain =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | Date
  | ((...args: never) => unknown)
