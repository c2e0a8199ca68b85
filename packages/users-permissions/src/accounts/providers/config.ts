// The settings of logins by third parties: `providers` and v4's `callback.validate` (B-6.27, B-6.53).

import { type Static, Type } from '@plinth/kernel'

const strict = { additionalProperties: false }

const oneOrMore = () => Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })])

const provider = Type.Object(
  {
    /** False switches the provider off, also one that v4's admin panel switched on. */
    enabled: Type.Optional(Type.Boolean()),
    /** The way in which the profile is read: from an ID token (OpenID Connect), or as GitHub gives it. */
    type: Type.Optional(Type.Union([Type.Literal('oidc'), Type.Literal('github')])),
    clientId: Type.Optional(Type.String()),
    clientSecret: Type.Optional(Type.String()),
    /** The pages of the front end to which a login may lead; the first one is where it leads by default. */
    callback: Type.Optional(oneOrMore()),
    scope: Type.Optional(oneOrMore()),
    /** The issuer of ID tokens, by whose address its endpoints and keys are found. */
    issuer: Type.Optional(Type.String()),
    /** Endpoints that differ from those of the issuer. */
    endpoints: Type.Optional(
      Type.Object(
        {
          authorize: Type.Optional(Type.String()),
          token: Type.Optional(Type.String()),
          jwks: Type.Optional(Type.String()),
          userinfo: Type.Optional(Type.String()),
          /** The endpoint at which a provider of the type `github` lists the addresses of a user. */
          emails: Type.Optional(Type.String()),
        },
        strict,
      ),
    ),
    /** The place of the secret in requests to the token endpoint. */
    tokenAuth: Type.Optional(Type.Union([Type.Literal('header'), Type.Literal('body')])),
    /** Takes all addresses of this issuer as verified. For issuers whose addresses only their owner gives out. */
    trustEmails: Type.Optional(Type.Boolean()),
  },
  strict,
)

/** Judges an address to which a login shall lead: throws, or returns false, if it must not (v4's `callback.validate`). */
export type ValidateCallback = (
  address: string,
  options: { readonly provider: string; readonly callback: string },
) => unknown

export const providerSettings = {
  /** Logins by third parties, by the name that stands in the routes. */
  providers: Type.Record(Type.String(), provider, { default: {} }),
  callback: Type.Object(
    { validate: Type.Optional(Type.Unsafe<ValidateCallback>(Type.Unknown())) },
    {
      ...strict,
      default: {},
    },
  ),
}

/** The settings of one provider. */
export type ProviderConfig = Static<typeof provider>
