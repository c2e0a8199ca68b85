// Reads v4's environment variables of the database, `DATABASE_*`. An empty one is not set.

/** The value of a variable; undefined if it is not set. */
export function variable(name: string): string | undefined {
  const value = process.env[name]
  return value === '' ? undefined : value
}
