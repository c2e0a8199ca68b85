// The input for files. Shows the value without changing it.

export { LockedInput as MediaInput } from '../locked.tsx'
