// Finds the provider that sends mails: one that only prints, nodemailer if it is installed, one of v4's packages, or a
// module of the application. Knows no mails of its own.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Logger, StartError, suggestion } from '@plinth/kernel'
import type { Config } from './config.ts'
import type { Mail, MailProvider, MailProviderModule } from './mail.ts'

/** The folder in which modules are looked for, the log, and whether mails may be printed. */
export interface ProviderTools {
  readonly dir: string
  readonly log: Logger
  /** In production a mail is not printed: its link would let everybody in who reads it. */
  readonly isProduction: boolean
}

/** Returns the provider that the settings name. Throws StartError if it cannot be loaded. */
export async function findProvider(config: Config, tools: ProviderTools): Promise<MailProvider> {
  const { provider, providerOptions, settings } = config
  if (provider === 'log') return logProvider(tools)
  if (/^(?:@strapi\/provider-email-|strapi-provider-email-)?nodemailer$/i.test(provider))
    return nodemailerProvider(providerOptions)
  const module = await load(provider, tools.dir)
  if (module === null) throw refused(`"${provider}" was not found${hintFor(provider)}`)
  const init = module.init ?? (module as { default?: MailProviderModule }).default?.init
  if (typeof init !== 'function') throw refused(`"${provider}" has no function init in its default export`)
  const mailProvider = init.call(module, providerOptions, settings)
  if (typeof mailProvider?.send !== 'function')
    throw refused(`init of "${provider}" returns no object with a function send`)
  return mailProvider
}

/** The names of v4's own providers, beside `nodemailer`. */
const ofV4 = ['amazon-ses', 'mailgun', 'mandrill', 'sendgrid', 'sendmail']

/** Returns advice for a missing module, as the end of a sentence; '' for a path. A package is named only as v4 names it. */
function hintFor(provider: string): string {
  if (isPath(provider)) return ''
  if (ofV4.includes(provider.toLowerCase())) return `: npm install @strapi/provider-email-${provider.toLowerCase()}`
  return suggestion(provider, ['log', 'nodemailer', ...ofV4]) || `: npm install ${provider}`
}

function refused(fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/plugins: email.config.provider: ${fault}`)
}

/** Prints mails, on stderr: the log leaves codes out, and in development somebody must be able to use them. */
function logProvider({ log, isProduction }: ProviderTools): MailProvider {
  return {
    async send({ to, subject, text }: Mail): Promise<void> {
      const address = typeof to === 'string' ? to : JSON.stringify(to)
      if (isProduction) log.warn(`A mail to ${address} ("${subject}") was not sent: email.config.provider is "log"`)
      else console.error(`Mail to ${address}: ${subject}\n${text}`)
    },
  }
}

async function nodemailerProvider(options: Readonly<Record<string, unknown>>): Promise<MailProvider> {
  const nodemailer = await import('nodemailer').catch(() => null)
  if (nodemailer === null) throw refused('"nodemailer" needs the package nodemailer: npm install nodemailer')
  const transport = nodemailer.createTransport(options)
  return {
    send: mail => transport.sendMail({ ...mail } as Parameters<typeof transport.sendMail>[0]),
    close: () => transport.close(),
  }
}

const isPath = (provider: string) => /^[./]/.test(provider)

/**
 * Returns the default export of a module, empty if it has none: of a path relative to the application, or of a package;
 * null if there is no such module.
 */
async function load(provider: string, dir: string): Promise<Partial<MailProviderModule> | null> {
  const file = isPath(provider) ? locateFile(resolve(dir, provider)) : locatePackage(provider, dir)
  if (file === null) return null
  const module = (await import(pathToFileURL(file).href)) as { default?: MailProviderModule }
  return module.default ?? {}
}

function locateFile(base: string): string | null {
  const paths = [base, `${base}.ts`, `${base}.js`]
  return paths.find(path => /\.[cm]?[jt]s$/.test(path) && existsSync(path)) ?? null
}

/** `sendgrid` is `@strapi/provider-email-sendgrid`, as in v4, if that package is installed. */
function locatePackage(provider: string, dir: string): string | null {
  const { resolve } = createRequire(join(dir, 'package.json'))
  const name = provider.toLowerCase()
  for (const candidate of [`@strapi/provider-email-${name}`, `strapi-provider-email-${name}`, provider]) {
    try {
      return resolve(candidate)
    } catch {
      // It is not installed; the next name is tried.
    }
  }
  return null
}
