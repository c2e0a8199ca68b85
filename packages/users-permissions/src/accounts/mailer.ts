// Writes the two mails of accounts (B-6.43), which the service of the plugin email sends. Links begin with configured
// addresses, never with what a request says about the server.

import { type EmailService, type Variables, withoutTags } from '@plinth/email'
import type { Template, TemplateName } from './mail-templates.ts'

/** Sends the mails of accounts by their template. */
export class Mailer {
  readonly #email: EmailService
  readonly #templates: Readonly<Record<TemplateName, Template>>

  constructor(email: EmailService, templates: Readonly<Record<TemplateName, Template>>) {
    this.#email = email
    this.#templates = templates
  }

  /** Sends a mail. Throws what the provider throws, and for a line break in a header (security.md row 22). */
  async send(name: TemplateName, to: string, variables: Variables): Promise<void> {
    const { from, replyTo, subject, message } = this.#templates[name]
    const template = { subject, text: withoutTags(message), html: message }
    await this.#email.sendTemplatedEmail({ to, from, replyTo }, template, variables)
  }
}
