// The input for components. Shows the value without changing it.

export { LockedInput as ComponentInput } from '../locked.tsx'
