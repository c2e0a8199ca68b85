// What the kernel uses of typebox. It comes as 700 modules, which cost every start of a server a quarter of a second, so
// the script `prepare` puts them into one, typebox.js beside this file: these lines are its source as well as its types.

export { type Static, type TSchema, Type } from 'typebox'
export { Compile } from 'typebox/compile'
export { Value } from 'typebox/value'
