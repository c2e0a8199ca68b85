// Sends mails for plugins and applications: the service `email` of the plugin, as in v4. It opens the provider when the
// kernel starts or the first mail is sent, and knows neither templates of accounts nor users.

import { ValidationError } from '@plinth/kernel'
import type { Config } from './config.ts'
import type { Mail, MailProvider } from './mail.ts'
import { escapeHtml, fill, type Variables } from './templates.ts'

/** The texts of a mail, with variables such as `<%= USER.username %>`. */
export interface MailTemplate {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The service, as `kernel.plugin('email').service('email')`. */
export interface EmailService {
  /**
   * Sends a mail, and resolves to what the provider returns. Throws what the provider throws, and ValidationError for a
   * line break in a header.
   */
  send(mail: Mail): Promise<unknown>
  /**
   * Sends a mail whose texts are made of a template. Variables are looked up in `variables` and never evaluated; their
   * values are escaped in `html`. Throws ValidationError for a template without one of its texts, and as `send` does.
   */
  sendTemplatedEmail(mail: Mail, template: MailTemplate, variables?: Variables): Promise<unknown>
  /** Returns the settings of the plugin. */
  getProviderSettings(): Config
}

/** The mails of a kernel. */
export class Mails implements EmailService {
  readonly #config: Config
  readonly #find: () => Promise<MailProvider>
  #provider: Promise<MailProvider> | null = null

  /** `find` finds the provider of the settings. */
  constructor(config: Config, find: () => Promise<MailProvider>) {
    this.#config = config
    this.#find = find
  }

  /** Opens the provider, once. Throws StartError if it cannot be loaded. */
  open(): Promise<MailProvider> {
    this.#provider ??= this.#find()
    return this.#provider
  }

  /** Closes the provider, if it was opened. */
  async close(): Promise<void> {
    await (await this.#provider)?.close?.()
  }

  async send(mail: Mail): Promise<unknown> {
    const { defaultFrom, defaultReplyTo } = this.#config.settings
    const addressed = { ...mail, from: mail.from ?? defaultFrom, replyTo: mail.replyTo ?? defaultReplyTo }
    checkHeaders(addressed)
    const provider = await this.open()
    return provider.send(addressed)
  }

  async sendTemplatedEmail(mail: Mail, template: MailTemplate, variables: Variables = {}): Promise<unknown> {
    const missing = (['subject', 'text', 'html'] as const).filter(name => typeof template[name] !== 'string')
    if (missing.length > 0)
      throw new ValidationError(`Following attributes are missing from your email template : ${missing.join(', ')}`)
    const { subject, text, html } = template
    return this.send({
      ...mail,
      subject: fill(subject, variables),
      text: fill(text, variables),
      html: fill(html, variables, escapeHtml),
    })
  }

  getProviderSettings(): Config {
    return this.#config
  }
}

/** Throws ValidationError for a line break in a header (security.md row 22). */
function checkHeaders({ to, from, cc, bcc, replyTo, subject }: Mail): void {
  for (const [name, value] of Object.entries({ to, from, cc, bcc, replyTo, subject }))
    if (textsIn(value).some(text => /[\r\n\0]/.test(text)))
      throw new ValidationError(`A mail's ${name} contains a line break`)
}

/** The texts of a header: itself, the members of a list, and the name and the address of an object. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}
