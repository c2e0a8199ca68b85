// The path prefix of the content API. The transport sets it, and other plugins that add routes to the content API read
// it. The values are kept here, because the kernel knows no routes.

import type { Kernel } from '@plinth/kernel'

const prefixes = new WeakMap<Kernel, string>()

/** Sets the path prefix of the content API, such as `/api`. A transport calls it in `register`. */
export function setApiPrefix(kernel: Kernel, prefix: string): void {
  prefixes.set(kernel, withoutSlash(prefix))
}

/**
 * Returns the path prefix of the content API, such as `/api`, without a slash at its end. If no transport sets it, it is
 * v4's setting `rest.prefix` of config/api, by default `/api`. Call it in `onMount`: transports set it in `register`,
 * which for some of them comes later than for the caller.
 */
export function apiPrefix(kernel: Kernel): string {
  const { prefix } = (kernel.config.api?.rest ?? {}) as { readonly prefix?: string }
  return prefixes.get(kernel) ?? withoutSlash(prefix ?? '/api')
}

const withoutSlash = (prefix: string) => prefix.replace(/\/$/, '')
