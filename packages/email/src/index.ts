// The plugin email: mails of plugins and applications, by v4's settings, providers and service.

import { definePlugin, type Kernel } from '@plinth/kernel'
import { type Config, configSchema, defaultConfig } from './config.ts'
import { findProvider } from './providers.ts'
import { type EmailService, Mails } from './service.ts'

export type { Config as EmailConfig } from './config.ts'
export type { Addresses, Mail, MailProvider, MailProviderModule, MailSettings } from './mail.ts'
export type { EmailService, Mails, MailTemplate } from './service.ts'
export { type Variables, withoutTags } from './templates.ts'

declare module '@plinth/kernel' {
  interface Services {
    /** Sends mails. */
    'email.email': EmailService
  }
}

const mailsOf = new WeakMap<Kernel, Mails>()

/**
 * Provides the service `email` in `register`, for a plugin that sends mails in applications that do not enable the plugin
 * email. Whoever calls it closes what it returns, in `destroy`. Throws RegistrationError if the service is there.
 */
export function provideEmail(kernel: Kernel, config: Config = defaultConfig): Mails {
  const isProduction = process.env.NODE_ENV === 'production'
  const mails = new Mails(config, () => findProvider(config, { dir: kernel.dir, log: kernel.log, isProduction }))
  kernel.services.provide('email', 'email', mails)
  return mails
}

export default definePlugin({
  name: 'email',
  config: configSchema,
  register({ kernel, config }) {
    mailsOf.set(kernel, provideEmail(kernel, config))
  },
  // A provider that is missing must stop the start, and not the first mail.
  async bootstrap({ kernel }) {
    await mailsOf.get(kernel)!.open()
  },
  async destroy({ kernel }) {
    await mailsOf.get(kernel)?.close()
  },
})
