// Moves the settings of v4's plugin `email` to users-permissions, whose mails take providers of v4's form.

import { bareOf, type Expression, memberOf, membersOf } from '@plinth/v4/syntax'
import { isPlainObject } from './settings-object.ts'

/** What becomes of the settings of mails. */
export interface MovedMail {
  /** The object of users-permissions.config.email as text; null if nothing is moved. */
  readonly text: string | null
  /** The package of the provider, which the application needs; null if nothing is moved. */
  readonly packageName: string | null
  /** What the list says. */
  readonly note: string
}

const where = 'users-permissions.config.email'
const unsent =
  'a start in production sends no mails without it, and outside of production they are printed on the terminal'

/** The settings that mails have here. */
const mailSettings = {
  provider: true,
  providerOptions: true,
  settings: { defaultFrom: true, defaultReplyTo: true },
} as const

/** The package of a provider that v4 finds by this name; null if the project has none. */
export function mailPackage(provider: string, dependencies: Readonly<Record<string, string>>): string | null {
  const name = provider.toLowerCase()
  if (/^(?:@strapi\/provider-email-|strapi-provider-email-)?nodemailer$/.test(name)) return 'nodemailer'
  const names = [`@strapi/provider-email-${name}`, `strapi-provider-email-${name}`, provider, name]
  return names.find(one => Object.hasOwn(dependencies, one)) ?? null
}

/** Whether the settings can be moved as text. */
export function canMoveMail(value: Expression): boolean {
  const config = memberOf(bareOf(value), 'config')
  if (config === undefined) return membersOf(bareOf(value)) !== null || value.type === 'BooleanLiteral'
  const provider = memberOf(bareOf(config), 'provider')
  return isPlainObject(config, mailSettings) && (provider === undefined || provider.type === 'StringLiteral')
}

/** `value`: what config/plugins has for `email`, if canMoveMail. */
export function movedMail(text: string, value: Expression, dependencies: Readonly<Record<string, string>>): MovedMail {
  const config = memberOf(bareOf(value), 'config') ?? null
  const provider = memberOf(config === null ? null : bareOf(config), 'provider')
  const name = provider?.type === 'StringLiteral' ? provider.value : 'sendmail'
  const packageName = mailPackage(name, dependencies)
  const note = (what: string) => ({ text: null, packageName: null, note: `${what}; ${unsent}` })
  if (config === null || (packageName === null && name === 'sendmail'))
    return note(
      `mails are those of users-permissions: write provider, providerOptions and settings of a provider other than v4's sendmail below ${where}`,
    )
  if (packageName === null)
    return note(
      `its provider ${name} is no dependency of the project: install it, and write provider, providerOptions and settings below ${where}`,
    )
  const member = (name: string) => memberOf(bareOf(config), name)
  const settings = member('settings')
  const senders = Object.keys(mailSettings.settings).flatMap(one => {
    const member = settings === undefined ? undefined : memberOf(bareOf(settings), one)
    return member === undefined ? [] : [`${one}: ${text.slice(member.start!, member.end!)}`]
  })
  const options = member('providerOptions')
  const parts = [
    `provider: '${packageName}'`,
    ...(options === undefined ? [] : [`providerOptions: ${text.slice(options.start!, options.end!)}`]),
    ...(senders.length === 0 ? [] : [`settings: { ${senders.join(', ')} }`]),
  ]
  return {
    text: `{ ${parts.join(', ')} }`,
    packageName,
    note: `its provider is now ${where}, and sends the mails of accounts; other mails of the project are sent by its own code, which is not run`,
  }
}
