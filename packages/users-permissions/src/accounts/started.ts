// Reads what accounts need before there is a server: the settings that v4 stored in the database, the templates of mails, and
// the providers of logins. It mounts nothing.

import type { EmailService } from '@plinth/email'
import type { Kernel } from '@plinth/kernel'
import type { AccountConfig } from './config.ts'
import { faultsOfTemplate, resolveTemplate, type Template, type TemplateName } from './mail-templates.ts'
import { Mailer } from './mailer.ts'
import { findProviders } from './providers/index.ts'
import type { Provider } from './providers/provider.ts'
import { type AdvancedSettings, readStored, resolveAdvanced } from './settings.ts'

/** The state of accounts after the start. */
export interface StartedAccounts {
  readonly advanced: AdvancedSettings
  readonly mailer: Mailer
  /** The enabled providers of logins, by name. */
  readonly providers: ReadonlyMap<string, Provider>
  /** The address under which the server is reached, without a slash at its end. */
  readonly serverUrl: string
}

/** The parts of the plugin that a start needs. */
export interface StartTools {
  readonly kernel: Kernel
  readonly config: AccountConfig
  readonly email: EmailService
}

/** Reads the settings. Throws StartError for those that cannot be used. */
export async function startAccounts({ kernel, config, email }: StartTools): Promise<StartedAccounts> {
  const { advanced } = config
  const { reset_password, email_confirmation } = config.email.templates
  const stored = await readStored(kernel, 'email')
  const serverUrl = serverUrlOf(kernel.config.server ?? {})
  const templates: Readonly<Record<TemplateName, Template>> = {
    reset_password: resolveTemplate('reset_password', reset_password, stored.reset_password),
    email_confirmation: resolveTemplate('email_confirmation', email_confirmation, stored.email_confirmation),
  }
  for (const name of ['reset_password', 'email_confirmation'] as const)
    for (const fault of faultsOfTemplate(name, templates[name])) kernel.log.warn(`users-permissions: ${fault}`)
  return {
    advanced: resolveAdvanced(advanced, await readStored(kernel, 'advanced')),
    mailer: new Mailer(email, templates),
    providers: findProviders(config, await readStored(kernel, 'grant'), { serverUrl, log: kernel.log }),
    serverUrl,
  }
}

/** The address of the server in mails: as configured, never as a request names it. */
function serverUrlOf({ url, host, port }: Readonly<Record<string, unknown>>): string {
  if (typeof url === 'string' && /^https?:\/\//.test(url)) return url.replace(/\/+$/, '')
  const name = typeof host === 'string' && host !== '0.0.0.0' && host !== '::' ? host : 'localhost'
  return `http://${name}:${port ?? 1337}`
}
