// The input for the blocks of v4's editor. Shows the value without changing it.

export { LockedInput as BlocksInput } from '../locked.tsx'
