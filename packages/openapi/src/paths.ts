// Writes the paths of routes as documents have them (B-12.2).

/** `/articles/:id` → `/articles/{id}`. What follows a `*` is the parameter `path`. */
export function documentedPath(url: string): string {
  return url.replaceAll(/:([A-Za-z0-9_]+)(?:\((?:[^()]|\([^()]*\))*\))?\??/g, '{$1}').replace(/\*$/, '{path}')
}

/** The path below the prefix; null if it is not below it. */
export function below(prefix: string, path: string): string | null {
  if (prefix === '') return path
  if (path === prefix) return '/'
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : null
}
