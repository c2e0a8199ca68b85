// The input for Markdown text. Shows the value without changing it.

export { LockedInput as MarkdownInput } from '../locked.tsx'
