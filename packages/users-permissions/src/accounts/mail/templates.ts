// The texts of mails. A template has variables such as `<%= USER.username %>`; they are looked up and never evaluated, as
// v4's templates once were (CVE-2023-22621, security.md row 21).

/** A template: its subject and its message, which is HTML. */
export interface Template {
  readonly from: string | undefined
  readonly replyTo: string | undefined
  readonly subject: string
  readonly message: string
}

export type TemplateName = 'reset_password' | 'email_confirmation'

/** Values by name. Only text and numbers are shown. */
export interface Variables {
  readonly [name: string]: string | number | null | Variables
}

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
interface GivenTemplate {
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

/** The template that holds: of config/plugins, else what v4 stored, else v4's default. */
export function resolveTemplate(name: TemplateName, given: GivenTemplate = {}, stored: unknown = {}): Template {
  const options = (stored as StoredTemplate | null)?.options ?? {}
  return {
    from: given.from ?? senderOf(options.from),
    replyTo: given.replyTo ?? textOf(options.response_email),
    subject: given.subject ?? textOf(options.object) ?? defaults[name].subject,
    message: given.message ?? textOf(options.message) ?? defaults[name].message,
  }
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

/** Replaces the variables of a text. Unknown ones are empty; `present` is applied to each value. */
export function fill(text: string, variables: Variables, present: (value: string) => string = value => value): string {
  return text.replace(/<%[=-]([^%]*)%>/g, (_, path: string) => present(lookUp(path.trim(), variables)))
}

function lookUp(path: string, variables: Variables): string {
  let value: unknown = variables
  for (const name of path.split('.')) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, name)) return ''
    value = (value as Record<string, unknown>)[name]
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text within HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, one => entities[one]!)

/** HTML as plain text: without its tags. It is for templates, before variables are filled in. */
export const withoutTags = (html: string): string => html.replace(/<(?!%)[^<>]*>/g, '').trim()
