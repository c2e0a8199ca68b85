// Which plugins run. Take one out and the server still starts; its attributes, parameters and routes are gone.

import { definePlugins } from '@plinth/kernel'

export default definePlugins({
  rest: true,
  'draft-publish': true,
  i18n: { config: { locales: ['en', 'fr', 'de'], defaultLocale: 'en' } },
})
