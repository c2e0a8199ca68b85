// Decides what becomes of the settings of v4's plugin `email`: Plinth's plugin of that name takes them as they are, and
// providers of v4's form.

import { bareOf, type Expression, isJson, memberOf, membersOf, tokensOf } from '@plinth/v4/syntax'
import { isPlainObject } from './settings-object.ts'

/** The settings of v4's plugin email that @plinth/email takes. */
export const mailSettings = {
  provider: true,
  providerOptions: true,
  settings: { defaultFrom: true, defaultReplyTo: true, testAddress: true },
} as const

const unsent =
  'a start in production sends no mails without it, and outside of production they are printed on the terminal'
const how = 'write provider, providerOptions and settings below email.config of config/plugins, as in v4'

/** The outcome for the settings of mails. */
export interface MailFate {
  /** The package of the provider, which the application needs; null if the settings are left out. */
  readonly packageName: string | null
  /** The sentence in the list. */
  readonly note: string
}

/** The package of a provider that v4 finds by this name; null if the project has none. */
export function mailPackage(provider: string, dependencies: Readonly<Record<string, string>>): string | null {
  const name = provider.toLowerCase()
  if (/^(?:@strapi\/provider-email-|strapi-provider-email-)?nodemailer$/.test(name)) return 'nodemailer'
  const names = [`@strapi/provider-email-${name}`, `strapi-provider-email-${name}`, provider, name]
  return names.find(one => Object.hasOwn(dependencies, one)) ?? null
}

/** The providers of mails that config/plugins names, each with its package. Throws SyntaxError. */
export function mailProviders(
  plugins: string,
  dependencies: Readonly<Record<string, string>>,
): (readonly [provider: string, packageName: string])[] {
  const text = isJson(plugins) ? `(${plugins})` : plugins
  const words = tokensOf(text).flatMap(({ label, value }) => (label === 'string' ? [value] : []))
  const isMail = (name: string) => /email|mail/i.test(name)
  return [...new Set(words)].flatMap(name => {
    const packageName = mailPackage(name, dependencies)
    return packageName === null || !isMail(packageName) ? [] : [[name, packageName] as const]
  })
}

/** Returns whether the settings can be read as text. */
export function isPlainMail(value: Expression): boolean {
  const config = memberOf(bareOf(value), 'config')
  if (config === undefined) return membersOf(bareOf(value)) !== null || value.type === 'BooleanLiteral'
  const provider = memberOf(bareOf(config), 'provider')
  return isPlainObject(config, mailSettings) && (provider === undefined || provider.type === 'StringLiteral')
}

/** `value`: what config/plugins has for `email`, if isPlainMail. */
export function mailFate(value: Expression, dependencies: Readonly<Record<string, string>>): MailFate {
  const config = memberOf(bareOf(value), 'config') ?? null
  const provider = memberOf(config === null ? null : bareOf(config), 'provider')
  const name = provider?.type === 'StringLiteral' ? provider.value : 'sendmail'
  const packageName = mailPackage(name, dependencies)
  const leftOut = (what: string) => ({ packageName: null, note: `${what}: ${how}; ${unsent}` })
  if (config === null || (packageName === null && name === 'sendmail'))
    return leftOut("mails need a provider other than v4's sendmail")
  if (packageName === null) return leftOut(`its provider ${name} is not a dependency of the project: install it`)
  return {
    packageName,
    note: "its provider sends the mails of accounts; code of the project that sends mails is not run: in Plinth it calls kernel.plugin('email').service('email').send",
  }
}
