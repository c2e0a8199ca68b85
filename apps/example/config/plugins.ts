// The enabled plugins. If one is removed, the server still starts, without its attributes, parameters and routes.

import { definePlugins } from '@plinth/kernel'

export default definePlugins({
  rest: true,
  'draft-publish': true,
  i18n: { config: { locales: ['en', 'fr', 'de'], defaultLocale: 'en' } },
})
