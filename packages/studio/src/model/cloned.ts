// Copies the values of a form, which the library that holds them changes in place.

/** A copy of the lists and objects of JSON, at all depths. Everything else is shared. */
export function cloned<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(cloned) as Value
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cloned(inner)])) as Value
}
