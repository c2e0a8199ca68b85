// Chooses the texts of the mails of accounts: those of config/plugins, else what v4 stored, else v4's. It fills nothing in.

import { suggestion } from '@plinth/kernel'

/** A template: its subject and its message, which is HTML, both with variables such as `<%= USER.username %>`. */
export interface Template {
  readonly from: string | undefined
  readonly replyTo: string | undefined
  readonly subject: string
  readonly message: string
}

export type TemplateName = 'reset_password' | 'email_confirmation'

/** v4's texts. */
const defaults: Readonly<Record<TemplateName, { readonly subject: string; readonly message: string }>> = {
  reset_password: {
    subject: 'Reset password',
    message: `<p>We heard that you lost your password. Sorry about that!</p>

<p>But don’t worry! You can use the following link to reset your password:</p>
<p><%= URL %>?code=<%= TOKEN %></p>

<p>Thanks.</p>`,
  },
  email_confirmation: {
    subject: 'Account confirmation',
    message: `<p>Thank you for registering!</p>

<p>You have to confirm your email address. Please click on the link below.</p>

<p><%= URL %>?confirmation=<%= CODE %></p>

<p>Thanks.</p>`,
  },
}

/** The settings of a template, as config/plugins has them. */
interface TemplateSettings {
  readonly from?: string
  readonly replyTo?: string
  readonly subject?: string
  readonly message?: string
}

/** The form in which v4 stores a template. */
interface StoredTemplate {
  readonly options?: {
    readonly from?: { readonly name?: unknown; readonly email?: unknown }
    readonly response_email?: unknown
    readonly object?: unknown
    readonly message?: unknown
  }
}

/** Returns the template that holds: of config/plugins, else what v4 stored, else v4's default. */
export function resolveTemplate(name: TemplateName, settings: TemplateSettings = {}, stored: unknown = {}): Template {
  const options = (stored as StoredTemplate | null)?.options ?? {}
  return {
    from: settings.from ?? senderOf(options.from),
    replyTo: settings.replyTo ?? textOf(options.response_email),
    subject: settings.subject ?? textOf(options.object) ?? defaults[name].subject,
    message: settings.message ?? textOf(options.message) ?? defaults[name].message,
  }
}

/** The variables of each template, beside those of both. */
const variables: Readonly<Record<TemplateName, readonly string[]>> = {
  reset_password: ['URL', 'TOKEN'],
  email_confirmation: ['URL', 'CODE'],
}
const variablesOfBoth = ['SERVER_URL', 'ADMIN_URL', 'USER.id', 'USER.username', 'USER.email']

/** Returns a sentence about each variable of a template that does not exist: a mail has nothing in its place. */
export function faultsOfTemplate(name: TemplateName, { subject, message }: Template): readonly string[] {
  const available = [...variables[name], ...variablesOfBoth]
  const names = [...`${subject} ${message}`.matchAll(/<%[=-]([^%]*)%>/g)].map(match => match[1]!.trim())
  return [...new Set(names)]
    .filter(one => !available.includes(one))
    .map(one => `the mail ${name} has no variable "${one}", which stays empty${suggestion(one, available)}`)
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** v4's default sender, which is nobody's address. */
const noSender = 'no-reply@strapi.io'

function senderOf(from: { readonly name?: unknown; readonly email?: unknown } | undefined): string | undefined {
  const email = textOf(from?.email)
  if (email === undefined || email === noSender) return undefined
  const name = textOf(from?.name)
  return name === undefined ? email : `${name} <${email}>`
}
