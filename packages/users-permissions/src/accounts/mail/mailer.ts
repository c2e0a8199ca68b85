// Writes and sends the two mails of accounts (B-6.43). Links begin with configured addresses, never with what a request
// says about the server.

import { ValidationError } from '@plinth/kernel'
import type { Mail, MailProvider, MailSettings } from './mail.ts'
import { escapeHtml, fill, type Template, type TemplateName, type Variables, withoutTags } from './templates.ts'

/** What mails are made of. */
export interface MailerOptions {
  readonly provider: MailProvider
  readonly settings: MailSettings
  readonly templates: Readonly<Record<TemplateName, Template>>
}

/** Sends mails by their template. */
export class Mailer {
  readonly #options: MailerOptions

  constructor(options: MailerOptions) {
    this.#options = options
  }

  /** Sends a mail. Throws what the provider throws, and for a line break in a header (security.md row 22). */
  async send(name: TemplateName, to: string, variables: Variables): Promise<void> {
    const { provider, settings, templates } = this.#options
    const { from, replyTo, subject, message } = templates[name]
    const mail: Mail = {
      to,
      from: from ?? settings.defaultFrom,
      replyTo: replyTo ?? settings.defaultReplyTo,
      subject: fill(subject, variables),
      text: fill(withoutTags(message), variables),
      html: fill(message, variables, escapeHtml),
    }
    checkHeaders(mail)
    await provider.send(mail)
  }

  async close(): Promise<void> {
    await this.#options.provider.close?.()
  }
}

function checkHeaders({ to, from, replyTo, subject }: Mail): void {
  for (const [name, value] of Object.entries({ to, from, replyTo, subject })) {
    if (value !== undefined && /[\r\n\0]/.test(value))
      throw new ValidationError(`A mail's ${name} contains a line break`)
  }
}
