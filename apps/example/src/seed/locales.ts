// Checks whether the application has locales.

import type { Kernel } from '@plinth/kernel'

/** Returns whether the plugin for locales is enabled. */
export function hasLocales(kernel: Kernel): boolean {
  return kernel.contentTypes.get('api::article.article')!.attributes.has('locale')
}
