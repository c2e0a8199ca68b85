// A mail, and what sends it. Providers have the form of v4's: a module whose default export has `init`.

/** A mail that is sent. */
export interface Mail {
  readonly to: string
  readonly from: string | undefined
  readonly replyTo: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Sends mails. */
export interface MailProvider {
  /** Resolves when the mail is handed over, and throws if it cannot be. */
  send(mail: Mail): Promise<unknown>
  /** Releases connections, when the server closes. */
  close?(): unknown
}

/** The settings of all mails. */
export interface MailSettings {
  readonly defaultFrom?: string
  readonly defaultReplyTo?: string
}

/** The default export of a provider's module. */
export interface MailProviderModule {
  init(providerOptions: Readonly<Record<string, unknown>>, settings: MailSettings): MailProvider
}
