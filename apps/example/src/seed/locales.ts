// Whether the application knows more than one language.

import type { Kernel } from '@plinth/kernel'

/** Whether the plugin for locales runs. */
export function hasLocales(kernel: Kernel): boolean {
  return kernel.contentTypes.get('api::article.article')!.attributes.has('locale')
}
