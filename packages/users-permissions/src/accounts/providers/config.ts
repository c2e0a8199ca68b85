// The settings of logins by third parties: `providers` and v4's `callback.validate` (B-6.27, B-6.53).

import { type Static, Type } from '@plinth/kernel'

const strict = { additionalProperties: false }

const oneOrMore = (description: string) =>
  Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })], { description })

const provider = Type.Object(
  {
    enabled: Type.Optional(
      Type.Boolean({ description: "False switches the provider off, also one that v4's admin panel switched on." }),
    ),
    type: Type.Optional(
      Type.Union([Type.Literal('oidc'), Type.Literal('github')], {
        description: 'The way in which the profile is read: from an ID token (OpenID Connect), or as GitHub gives it.',
      }),
    ),
    clientId: Type.Optional(Type.String({ description: 'The id of the application at the provider.' })),
    clientSecret: Type.Optional(Type.String({ description: 'The secret of the application at the provider.' })),
    callback: Type.Optional(
      oneOrMore('The pages of the front end to which a login may lead; the first one is where it leads by default.'),
    ),
    scope: Type.Optional(oneOrMore('Scopes that the login requests, such as `email`.')),
    issuer: Type.Optional(
      Type.String({ description: 'The issuer of ID tokens, by whose address its endpoints and keys are found.' }),
    ),
    endpoints: Type.Optional(
      Type.Object(
        {
          authorize: Type.Optional(Type.String({ description: 'The page on which people log in.' })),
          token: Type.Optional(Type.String({ description: 'The endpoint that exchanges codes for tokens.' })),
          jwks: Type.Optional(Type.String({ description: 'The endpoint with the keys of ID tokens.' })),
          userinfo: Type.Optional(Type.String({ description: 'The endpoint with the profile of a user.' })),
          emails: Type.Optional(
            Type.String({
              description: 'The endpoint at which a provider of the type `github` lists the addresses of a user.',
            }),
          ),
        },
        { ...strict, description: 'Endpoints that differ from those of the issuer.' },
      ),
    ),
    tokenAuth: Type.Optional(
      Type.Union([Type.Literal('header'), Type.Literal('body')], {
        description: 'The place of the secret in requests to the token endpoint.',
      }),
    ),
    trustEmails: Type.Optional(
      Type.Boolean({
        description:
          'Takes all addresses of this issuer as verified. For issuers whose addresses only their owner gives out.',
      }),
    ),
  },
  strict,
)

/** Checks an address to which a login shall lead: throws, or returns false, if it must not (v4's `callback.validate`). */
export type ValidateCallback = (
  address: string,
  options: { readonly provider: string; readonly callback: string },
) => unknown

export const providerSettings = {
  providers: Type.Record(Type.String(), provider, {
    default: {},
    description: 'Logins by third parties, by the name that stands in the routes.',
  }),
  callback: Type.Object(
    {
      validate: Type.Optional(
        Type.Unsafe<ValidateCallback>(
          Type.Unknown({ description: 'Throws, or returns false, for an address to which no login may lead.' }),
        ),
      ),
    },
    {
      ...strict,
      default: {},
      description: 'The address in requests to which a login leads.',
    },
  ),
}

/** The settings of one provider. */
export type ProviderConfig = Static<typeof provider>
