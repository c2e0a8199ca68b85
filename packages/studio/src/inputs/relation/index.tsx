// The input for links to other entries. Shows the value without changing it.

export { LockedInput as RelationInput } from '../locked.tsx'
