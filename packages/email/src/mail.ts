// A mail, and what sends it. Providers have the form of v4's: a module whose default export has `init`.

/** An address, or several: `ann@example.com`, `Ann <ann@example.com>`, or what the provider takes for one. */
export type Addresses = string | object | readonly (string | object)[]

/** A mail that is sent. A provider may take further options, such as `attachments` or `headers`. */
export interface Mail {
  readonly to: Addresses
  /** By default `settings.defaultFrom`. */
  readonly from?: Addresses | undefined
  readonly cc?: Addresses | undefined
  readonly bcc?: Addresses | undefined
  /** By default `settings.defaultReplyTo`. */
  readonly replyTo?: Addresses | undefined
  readonly subject?: string | undefined
  readonly text?: string | undefined
  readonly html?: string | undefined
  readonly [option: string]: unknown
}

/** Sends mails. */
export interface MailProvider {
  /** Resolves when the mail is handed over, and throws if it cannot be. */
  send(mail: Mail): Promise<unknown>
  /** Releases connections, when the kernel closes. */
  close?(): unknown
}

/** The settings of all mails. */
export interface MailSettings {
  readonly defaultFrom?: string
  readonly defaultReplyTo?: string
  /** The address to which v4's panel sends a test; it has no effect here. */
  readonly testAddress?: string
}

/** The default export of a provider's module. */
export interface MailProviderModule {
  init(providerOptions: Readonly<Record<string, unknown>>, settings: MailSettings): MailProvider
}
