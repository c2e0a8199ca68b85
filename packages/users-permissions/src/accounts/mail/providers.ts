// Finds the provider that sends mails: one that only prints, nodemailer if it is installed, or a module of the application.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Logger, StartError } from '@plinth/kernel'
import type { AccountConfig } from '../config.ts'
import type { Mail, MailProvider, MailProviderModule } from './mail.ts'

/** Where modules are looked for, and what may be printed. */
export interface ProviderTools {
  readonly dir: string
  readonly log: Logger
  /** In production a mail is not printed: its link would let everybody in who reads it. */
  readonly isProduction: boolean
}

/** The provider that the settings name. Throws StartError if it cannot be loaded. */
export async function findProvider(config: AccountConfig['email'], tools: ProviderTools): Promise<MailProvider> {
  const { provider, providerOptions, settings } = config
  if (provider === 'log') return logProvider(tools)
  if (provider === 'nodemailer') return nodemailerProvider(providerOptions)
  const module = await load(provider, tools.dir)
  const init = module?.init ?? (module as { default?: MailProviderModule } | null)?.default?.init
  if (module === null)
    throw refused(`"${provider}" was not found${/^[./]/.test(provider) ? '' : `: npm install ${provider}`}`)
  if (typeof init !== 'function') throw refused(`"${provider}" has no function init in its default export`)
  const made = init.call(module, providerOptions, settings)
  if (typeof made?.send !== 'function') throw refused(`init of "${provider}" returns no object with a function send`)
  return made
}

function refused(fault: string): StartError {
  return new StartError('PLINTH_CONFIG_INVALID', `config/plugins: users-permissions: email.provider: ${fault}`)
}

/** Prints mails, on stderr: the log leaves codes out, and in development somebody must be able to use them. */
function logProvider({ log, isProduction }: ProviderTools): MailProvider {
  return {
    async send({ to, subject, text }: Mail): Promise<void> {
      if (isProduction) log.warn(`A mail to ${to} ("${subject}") was not sent: email.provider is "log"`)
      else console.error(`Mail to ${to}: ${subject}\n${text}`)
    },
  }
}

async function nodemailerProvider(options: Readonly<Record<string, unknown>>): Promise<MailProvider> {
  const nodemailer = await import('nodemailer').catch(() => null)
  if (nodemailer === null) throw refused('"nodemailer" needs the package nodemailer: npm install nodemailer')
  const transport = nodemailer.createTransport(options)
  return {
    send: mail => transport.sendMail({ ...mail }),
    close: () => transport.close(),
  }
}

/**
 * The default export of a module, empty if it has none: of a path relative to the application, or of a package; null if
 * there is no such module.
 */
async function load(wanted: string, dir: string): Promise<Partial<MailProviderModule> | null> {
  const file = locate(wanted, dir)
  if (file === null) return null
  const module = (await import(pathToFileURL(file).href)) as { default?: MailProviderModule }
  return module.default ?? {}
}

function locate(wanted: string, dir: string): string | null {
  if (wanted.startsWith('.') || wanted.startsWith('/')) {
    const base = resolve(dir, wanted)
    return [base, `${base}.ts`, `${base}.js`].find(path => /\.[cm]?[jt]s$/.test(path) && existsSync(path)) ?? null
  }
  try {
    return createRequire(join(dir, 'package.json')).resolve(wanted)
  } catch {
    return null
  }
}
