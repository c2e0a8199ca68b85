// Tells the compiler which messages there are.

import type english from '../messages/en.json'

declare module 'use-intl' {
  interface AppConfig {
    Messages: typeof english
  }
}
