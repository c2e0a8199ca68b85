// The input for dynamic zones. Shows the value without changing it.

export { LockedInput as ZoneInput } from '../locked.tsx'
