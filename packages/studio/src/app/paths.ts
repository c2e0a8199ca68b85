// Writes the paths of pages, for parts that take a path and not the name of a page: rows of tables and items of menus.

import { type RegisteredRouter, type ToOptions, useRouter } from '@tanstack/react-router'

/** Returns what writes the path of a page. */
export function usePathTo(): (options: ToOptions<RegisteredRouter>) => string {
  const router = useRouter()
  return options => router.buildLocation(options as never).publicHref
}
