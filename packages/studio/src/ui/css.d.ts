// Declares what modules get of a file of styles: the names of its classes.

declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
