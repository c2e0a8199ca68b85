// The types of the content of this application. `plinth types` writes this file; what is changed here is lost.
/* eslint-disable */
// biome-ignore-all format: written by a program
// biome-ignore-all lint: written by a program

/** admin::api-token */
export interface ApiToken {
  id: number
  name: string
  description: string | null
  type: 'read-only' | 'full-access' | 'custom'
  lastUsedAt: string | null
  expiresAt: string | null
  lifespan: string | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface ApiTokenPrivate {
  accessKey: string
}
/** The attributes that can be populated. */
export interface ApiTokenLinks {
  permissions: { many: 'admin::api-token-permission' }
}
export interface ApiTokenPrivateLinks {}
/** An entry with what may be populated. */
export interface ApiTokenEntry extends ApiToken {
  permissions?: ApiTokenPermissionEntry[]
}
/** The `data` of a change. */
export interface ApiTokenUpdate {
  name?: string
  description?: string | null
  type?: 'read-only' | 'full-access' | 'custom'
  accessKey?: string
  lastUsedAt?: string | number | globalThis.Date | null
  permissions?: Plinth.SentLinks
  expiresAt?: string | number | globalThis.Date | null
  lifespan?: string | number | null
}
/** The `data` of a new entry. */
export type ApiTokenCreate = Plinth.Needs<ApiTokenUpdate, 'name' | 'accessKey'>
export interface ApiTokenFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ApiTokenFilters<Has>[]
  $or?: readonly ApiTokenFilters<Has>[]
  $not?: ApiTokenFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  description?: Plinth.Test<string>
  type?: Plinth.Test<'read-only' | 'full-access' | 'custom'>
  accessKey?: Plinth.Private<Has, Plinth.Test<string>>
  lastUsedAt?: Plinth.Test<string | number | globalThis.Date>
  permissions?: Plinth.Test<Plinth.Id> | ApiTokenPermissionFilters<Has>
  expiresAt?: Plinth.Test<string | number | globalThis.Date>
  lifespan?: Plinth.Test<string | number>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type ApiTokenField = keyof ApiToken
export type ApiTokenSort = Plinth.Sort<ApiTokenField>
export type ApiTokenPopulate = keyof ApiTokenLinks

/** admin::api-token-permission */
export interface ApiTokenPermission {
  id: number
  action: string
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface ApiTokenPermissionPrivate {}
/** The attributes that can be populated. */
export interface ApiTokenPermissionLinks {
  token: { one: 'admin::api-token' }
}
export interface ApiTokenPermissionPrivateLinks {}
/** An entry with what may be populated. */
export interface ApiTokenPermissionEntry extends ApiTokenPermission {
  token?: ApiTokenEntry | null
}
/** The `data` of a change. */
export interface ApiTokenPermissionUpdate {
  action?: string
  token?: Plinth.SentLink
}
/** The `data` of a new entry. */
export type ApiTokenPermissionCreate = Plinth.Needs<ApiTokenPermissionUpdate, 'action'>
export interface ApiTokenPermissionFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ApiTokenPermissionFilters<Has>[]
  $or?: readonly ApiTokenPermissionFilters<Has>[]
  $not?: ApiTokenPermissionFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  action?: Plinth.Test<string>
  token?: Plinth.Test<Plinth.Id> | ApiTokenFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type ApiTokenPermissionField = keyof ApiTokenPermission
export type ApiTokenPermissionSort = Plinth.Sort<ApiTokenPermissionField>
export type ApiTokenPermissionPopulate = keyof ApiTokenPermissionLinks

/** api::article.article: A piece in the magazine */
export interface Article {
  id: number
  title: string
  slug: string
  kind: 'report' | 'profile' | 'guide' | 'essay'
  standfirst: string | null
  body: string
  readingMinutes: number | null
  publishedOn: string | null
  featured: boolean | null
  editorsNote: string | null
  createdAt: string | null
  updatedAt: string | null
  publishedAt: string | null
  locale: string | null
}
/** Attributes that only queries with all rights return. */
export interface ArticlePrivate {}
/** The attributes that can be populated. */
export interface ArticleLinks {
  cover: { one: 'plugin::upload.file' }
  gallery: { many: 'plugin::upload.file'; orNull: true }
  author: { one: 'api::author.author' }
  categories: { many: 'api::category.category' }
  tags: { many: 'api::tag.tag' }
  issue: { one: 'api::issue.issue' }
  readNext: { many: 'api::article.article' }
  comments: { many: 'api::comment.comment' }
  corrections: { many: 'api::correction.correction'; orNull: true }
  dossiers: { many: 'api::dossier.dossier'; orNull: true }
  seo: { one: 'shared.seo' }
  sources: { many: 'shared.link' }
  blocks: { zone: 'shared.quote' | 'shared.callout' | 'shared.gallery' | 'magazine.recipe' | 'magazine.itinerary' }
  localizations: { many: 'api::article.article' }
}
export interface ArticlePrivateLinks {}
/** An entry with what may be populated. */
export interface ArticleEntry extends Article {
  cover?: UploadFileEntry | null
  gallery?: UploadFileEntry[]
  author?: AuthorEntry | null
  categories?: CategoryEntry[]
  tags?: TagEntry[]
  issue?: IssueEntry | null
  readNext?: ArticleEntry[]
  comments?: CommentEntry[]
  corrections?: CorrectionEntry[]
  dossiers?: DossierEntry[]
  seo?: ComponentSharedSeoEntry | null
  sources?: ComponentSharedLinkEntry[]
  blocks?: (({ __component: 'shared.quote' } & ComponentSharedQuoteEntry) | ({ __component: 'shared.callout' } & ComponentSharedCalloutEntry) | ({ __component: 'shared.gallery' } & ComponentSharedGalleryEntry) | ({ __component: 'magazine.recipe' } & ComponentMagazineRecipeEntry) | ({ __component: 'magazine.itinerary' } & ComponentMagazineItineraryEntry))[]
  localizations?: ArticleEntry[]
}
/** The `data` of a change. */
export interface ArticleUpdate {
  title?: string | null
  slug?: string | null
  kind?: 'report' | 'profile' | 'guide' | 'essay' | null
  standfirst?: string | null
  body?: string | null
  readingMinutes?: number | null
  publishedOn?: string | null
  featured?: boolean | null
  editorsNote?: string | null
  cover?: Plinth.SentLink
  gallery?: Plinth.SentLinks
  author?: Plinth.SentLink
  categories?: Plinth.SentLinks
  tags?: Plinth.SentLinks
  issue?: Plinth.SentLink
  readNext?: Plinth.SentLinks
  comments?: Plinth.SentLinks
  corrections?: Plinth.SentLinks
  dossiers?: Plinth.SentLinks
  seo?: ComponentSharedSeoCreate | null
  sources?: readonly ComponentSharedLinkCreate[] | null
  blocks?: readonly (({ readonly __component: 'shared.quote' } & ComponentSharedQuoteCreate) | ({ readonly __component: 'shared.callout' } & ComponentSharedCalloutCreate) | ({ readonly __component: 'shared.gallery' } & ComponentSharedGalleryCreate) | ({ readonly __component: 'magazine.recipe' } & ComponentMagazineRecipeCreate) | ({ readonly __component: 'magazine.itinerary' } & ComponentMagazineItineraryCreate))[] | null
  publishedAt?: string | number | globalThis.Date | null
  localizations?: Plinth.SentLinks
  locale?: string | null
}
/** The `data` of a new entry. */
export type ArticleCreate = Plinth.Needs<ArticleUpdate, 'title' | 'slug' | 'body'> | (ArticleUpdate & { readonly publishedAt: null })
export interface ArticleFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ArticleFilters<Has>[]
  $or?: readonly ArticleFilters<Has>[]
  $not?: ArticleFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  title?: Plinth.Test<string>
  slug?: Plinth.Test<string>
  kind?: Plinth.Test<'report' | 'profile' | 'guide' | 'essay'>
  standfirst?: Plinth.Test<string>
  body?: Plinth.Test<string>
  readingMinutes?: Plinth.Test<number>
  publishedOn?: Plinth.Test<string>
  featured?: Plinth.Test<boolean>
  editorsNote?: Plinth.Test<string>
  cover?: Plinth.Test<Plinth.Id> | UploadFileFilters<Has>
  gallery?: Plinth.Test<Plinth.Id> | UploadFileFilters<Has>
  author?: Plinth.Test<Plinth.Id> | AuthorFilters<Has>
  categories?: Plinth.Test<Plinth.Id> | CategoryFilters<Has>
  tags?: Plinth.Test<Plinth.Id> | TagFilters<Has>
  issue?: Plinth.Test<Plinth.Id> | IssueFilters<Has>
  readNext?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  comments?: Plinth.Test<Plinth.Id> | CommentFilters<Has>
  corrections?: Plinth.Test<Plinth.Id> | CorrectionFilters<Has>
  dossiers?: Plinth.Test<Plinth.Id> | DossierFilters<Has>
  seo?: Plinth.Test<Plinth.Id> | ComponentSharedSeoFilters<Has>
  sources?: Plinth.Test<Plinth.Id> | ComponentSharedLinkFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
  publishedAt?: Plinth.Test<string | number | globalThis.Date>
  localizations?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  locale?: Plinth.Test<string>
}
export type ArticleField = keyof Article
export type ArticleSort = Plinth.Sort<ArticleField>
export type ArticlePopulate = keyof ArticleLinks

/** api::author.author: Somebody who writes for the magazine */
export interface Author {
  id: number
  name: string
  slug: string
  email: string | null
  bio: Plinth.Block[] | null
  joinedOn: string | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface AuthorPrivate {
  deskPassword: string | null
}
/** The attributes that can be populated. */
export interface AuthorLinks {
  portrait: { one: 'plugin::upload.file' }
  mentor: { one: 'api::author.author' }
  beats: { many: 'api::category.category' }
  desk: { one: 'api::desk.desk' }
  articles: { many: 'api::article.article' }
  dossiers: { many: 'api::dossier.dossier'; orNull: true }
}
export interface AuthorPrivateLinks {}
/** An entry with what may be populated. */
export interface AuthorEntry extends Author {
  portrait?: UploadFileEntry | null
  mentor?: AuthorEntry | null
  beats?: CategoryEntry[]
  desk?: DeskEntry | null
  articles?: ArticleEntry[]
  dossiers?: DossierEntry[]
}
/** The `data` of a change. */
export interface AuthorUpdate {
  name?: string
  slug?: string
  email?: string | null
  deskPassword?: string | null
  bio?: readonly Plinth.Block[] | null
  joinedOn?: string | null
  portrait?: Plinth.SentLink
  mentor?: Plinth.SentLink
  beats?: Plinth.SentLinks
  desk?: Plinth.SentLink
  articles?: Plinth.SentLinks
  dossiers?: Plinth.SentLinks
}
/** The `data` of a new entry. */
export type AuthorCreate = Plinth.Needs<AuthorUpdate, 'name' | 'slug'>
export interface AuthorFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly AuthorFilters<Has>[]
  $or?: readonly AuthorFilters<Has>[]
  $not?: AuthorFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  slug?: Plinth.Test<string>
  email?: Plinth.Test<string>
  deskPassword?: Plinth.Private<Has, Plinth.Test<string>>
  bio?: Plinth.Test<string>
  joinedOn?: Plinth.Test<string>
  portrait?: Plinth.Test<Plinth.Id> | UploadFileFilters<Has>
  mentor?: Plinth.Test<Plinth.Id> | AuthorFilters<Has>
  beats?: Plinth.Test<Plinth.Id> | CategoryFilters<Has>
  desk?: Plinth.Test<Plinth.Id> | DeskFilters<Has>
  articles?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  dossiers?: Plinth.Test<Plinth.Id> | DossierFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type AuthorField = keyof Author
export type AuthorSort = Plinth.Sort<AuthorField>
export type AuthorPopulate = keyof AuthorLinks

/** api::category.category: A topic, or a beat within one */
export interface Category {
  id: number
  name: string
  slug: string
  description: string | null
  colour: string | null
  position: number | null
  createdAt: string | null
  updatedAt: string | null
  locale: string | null
}
/** Attributes that only queries with all rights return. */
export interface CategoryPrivate {}
/** The attributes that can be populated. */
export interface CategoryLinks {
  parent: { one: 'api::category.category' }
  children: { many: 'api::category.category' }
  articles: { many: 'api::article.article' }
  localizations: { many: 'api::category.category' }
}
export interface CategoryPrivateLinks {}
/** An entry with what may be populated. */
export interface CategoryEntry extends Category {
  parent?: CategoryEntry | null
  children?: CategoryEntry[]
  articles?: ArticleEntry[]
  localizations?: CategoryEntry[]
}
/** The `data` of a change. */
export interface CategoryUpdate {
  name?: string
  slug?: string
  description?: string | null
  colour?: string | null
  position?: number | null
  parent?: Plinth.SentLink
  children?: Plinth.SentLinks
  articles?: Plinth.SentLinks
  localizations?: Plinth.SentLinks
  locale?: string | null
}
/** The `data` of a new entry. */
export type CategoryCreate = Plinth.Needs<CategoryUpdate, 'name' | 'slug'>
export interface CategoryFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly CategoryFilters<Has>[]
  $or?: readonly CategoryFilters<Has>[]
  $not?: CategoryFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  slug?: Plinth.Test<string>
  description?: Plinth.Test<string>
  colour?: Plinth.Test<string>
  position?: Plinth.Test<number>
  parent?: Plinth.Test<Plinth.Id> | CategoryFilters<Has>
  children?: Plinth.Test<Plinth.Id> | CategoryFilters<Has>
  articles?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
  localizations?: Plinth.Test<Plinth.Id> | CategoryFilters<Has>
  locale?: Plinth.Test<string>
}
export type CategoryField = keyof Category
export type CategorySort = Plinth.Sort<CategoryField>
export type CategoryPopulate = keyof CategoryLinks

/** api::comment.comment: A reader's letter below an article */
export interface Comment {
  id: number
  name: string
  text: string
  postedAt: string | null
  likes: number | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface CommentPrivate {
  email: string | null
}
/** The attributes that can be populated. */
export interface CommentLinks {
  author: { one: 'plugin::users-permissions.user' }
  article: { one: 'api::article.article' }
  replyTo: { one: 'api::comment.comment' }
  replies: { many: 'api::comment.comment' }
}
export interface CommentPrivateLinks {}
/** An entry with what may be populated. */
export interface CommentEntry extends Comment {
  author?: UsersPermissionsUserEntry | null
  article?: ArticleEntry | null
  replyTo?: CommentEntry | null
  replies?: CommentEntry[]
}
/** The `data` of a change. */
export interface CommentUpdate {
  name?: string
  email?: string | null
  text?: string
  postedAt?: string | number | globalThis.Date | null
  likes?: number | null
  author?: Plinth.SentLink
  article?: Plinth.SentLink
  replyTo?: Plinth.SentLink
  replies?: Plinth.SentLinks
}
/** The `data` of a new entry. */
export type CommentCreate = Plinth.Needs<CommentUpdate, 'name' | 'text'>
export interface CommentFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly CommentFilters<Has>[]
  $or?: readonly CommentFilters<Has>[]
  $not?: CommentFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  email?: Plinth.Private<Has, Plinth.Test<string>>
  text?: Plinth.Test<string>
  postedAt?: Plinth.Test<string | number | globalThis.Date>
  likes?: Plinth.Test<number>
  author?: Plinth.Test<Plinth.Id> | UsersPermissionsUserFilters<Has>
  article?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  replyTo?: Plinth.Test<Plinth.Id> | CommentFilters<Has>
  replies?: Plinth.Test<Plinth.Id> | CommentFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type CommentField = keyof Comment
export type CommentSort = Plinth.Sort<CommentField>
export type CommentPopulate = keyof CommentLinks

/** api::correction.correction: What we got wrong, and in what */
export interface Correction {
  id: number
  text: string
  madeOn: string | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface CorrectionPrivate {}
/** The attributes that can be populated. */
export interface CorrectionLinks {
  subject: { any: 'one' }
}
export interface CorrectionPrivateLinks {}
/** An entry with what may be populated. */
export interface CorrectionEntry extends Correction {
  subject?: ({ id: number; __type: string } & Record<string, unknown>) | null
}
/** The `data` of a change. */
export interface CorrectionUpdate {
  text?: string
  madeOn?: string | null
  subject?: Plinth.SentAny
}
/** The `data` of a new entry. */
export type CorrectionCreate = Plinth.Needs<CorrectionUpdate, 'text'>
export interface CorrectionFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly CorrectionFilters<Has>[]
  $or?: readonly CorrectionFilters<Has>[]
  $not?: CorrectionFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  text?: Plinth.Test<string>
  madeOn?: Plinth.Test<string>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type CorrectionField = keyof Correction
export type CorrectionSort = Plinth.Sort<CorrectionField>
export type CorrectionPopulate = keyof CorrectionLinks

/** api::desk.desk: Where an author sits, and when to ring */
export interface Desk {
  id: number
  room: string
  extension: number | null
  from: string | null
  until: string | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface DeskPrivate {}
/** The attributes that can be populated. */
export interface DeskLinks {
  author: { one: 'api::author.author' }
}
export interface DeskPrivateLinks {}
/** An entry with what may be populated. */
export interface DeskEntry extends Desk {
  author?: AuthorEntry | null
}
/** The `data` of a change. */
export interface DeskUpdate {
  room?: string
  extension?: number | null
  from?: string | null
  until?: string | null
  author?: Plinth.SentLink
}
/** The `data` of a new entry. */
export type DeskCreate = Plinth.Needs<DeskUpdate, 'room'>
export interface DeskFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly DeskFilters<Has>[]
  $or?: readonly DeskFilters<Has>[]
  $not?: DeskFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  room?: Plinth.Test<string>
  extension?: Plinth.Test<number>
  from?: Plinth.Test<string>
  until?: Plinth.Test<string>
  author?: Plinth.Test<Plinth.Id> | AuthorFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type DeskField = keyof Desk
export type DeskSort = Plinth.Sort<DeskField>
export type DeskPopulate = keyof DeskLinks

/** api::dossier.dossier: Articles, authors and issues that belong together */
export interface Dossier {
  id: number
  title: string
  slug: string
  introduction: string | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface DossierPrivate {}
/** The attributes that can be populated. */
export interface DossierLinks {
  items: { any: 'many' }
}
export interface DossierPrivateLinks {}
/** An entry with what may be populated. */
export interface DossierEntry extends Dossier {
  items?: ({ id: number; __type: string } & Record<string, unknown>)[]
}
/** The `data` of a change. */
export interface DossierUpdate {
  title?: string
  slug?: string
  introduction?: string | null
  items?: Plinth.SentAnys
}
/** The `data` of a new entry. */
export type DossierCreate = Plinth.Needs<DossierUpdate, 'title' | 'slug'>
export interface DossierFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly DossierFilters<Has>[]
  $or?: readonly DossierFilters<Has>[]
  $not?: DossierFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  title?: Plinth.Test<string>
  slug?: Plinth.Test<string>
  introduction?: Plinth.Test<string>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type DossierField = keyof Dossier
export type DossierSort = Plinth.Sort<DossierField>
export type DossierPopulate = keyof DossierLinks

/** api::homepage.homepage: The front door */
export interface Homepage {
  id: number
  greeting: string
  introduction: string | null
  contact: string | null
  createdAt: string | null
  updatedAt: string | null
  locale: string | null
}
/** Attributes that only queries with all rights return. */
export interface HomepagePrivate {}
/** The attributes that can be populated. */
export interface HomepageLinks {
  logo: { one: 'plugin::upload.file' }
  hero: { one: 'sections.hero' }
  rows: { many: 'sections.article-list' }
  editorsChoice: { many: 'api::article.article' }
  currentIssue: { one: 'api::issue.issue' }
  localizations: { many: 'api::homepage.homepage' }
}
export interface HomepagePrivateLinks {}
/** An entry with what may be populated. */
export interface HomepageEntry extends Homepage {
  logo?: UploadFileEntry | null
  hero?: ComponentSectionsHeroEntry | null
  rows?: ComponentSectionsArticleListEntry[]
  editorsChoice?: ArticleEntry[]
  currentIssue?: IssueEntry | null
  localizations?: HomepageEntry[]
}
/** The `data` of a change. */
export interface HomepageUpdate {
  greeting?: string
  introduction?: string | null
  contact?: string | null
  logo?: Plinth.SentLink
  hero?: ComponentSectionsHeroCreate | null
  rows?: readonly ComponentSectionsArticleListCreate[] | null
  editorsChoice?: Plinth.SentLinks
  currentIssue?: Plinth.SentLink
  localizations?: Plinth.SentLinks
  locale?: string | null
}
/** The `data` of a new entry. */
export type HomepageCreate = Plinth.Needs<HomepageUpdate, 'greeting' | 'hero'>
export interface HomepageFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly HomepageFilters<Has>[]
  $or?: readonly HomepageFilters<Has>[]
  $not?: HomepageFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  greeting?: Plinth.Test<string>
  introduction?: Plinth.Test<string>
  contact?: Plinth.Test<string>
  logo?: Plinth.Test<Plinth.Id> | UploadFileFilters<Has>
  hero?: Plinth.Test<Plinth.Id> | ComponentSectionsHeroFilters<Has>
  rows?: Plinth.Test<Plinth.Id> | ComponentSectionsArticleListFilters<Has>
  editorsChoice?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  currentIssue?: Plinth.Test<Plinth.Id> | IssueFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
  localizations?: Plinth.Test<Plinth.Id> | HomepageFilters<Has>
  locale?: Plinth.Test<string>
}
export type HomepageField = keyof Homepage
export type HomepageSort = Plinth.Sort<HomepageField>
export type HomepagePopulate = keyof HomepageLinks

/** api::issue.issue: One month of the magazine, as printed */
export interface Issue {
  id: number
  number: number
  title: string
  month: string
  onSaleAt: string | null
  sentToPrintAt: string | null
  price: number | null
  weightGrams: number | null
  barcode: string | null
  soldOut: boolean | null
  colophon: Plinth.Json | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface IssuePrivate {}
/** The attributes that can be populated. */
export interface IssueLinks {
  coverStory: { one: 'api::article.article' }
  articles: { many: 'api::article.article' }
  correction: { one: 'api::correction.correction' }
  dossiers: { many: 'api::dossier.dossier'; orNull: true }
}
export interface IssuePrivateLinks {}
/** An entry with what may be populated. */
export interface IssueEntry extends Issue {
  coverStory?: ArticleEntry | null
  articles?: ArticleEntry[]
  correction?: CorrectionEntry | null
  dossiers?: DossierEntry[]
}
/** The `data` of a change. */
export interface IssueUpdate {
  number?: number
  title?: string
  month?: string
  onSaleAt?: string | number | globalThis.Date | null
  sentToPrintAt?: string | number | globalThis.Date | null
  price?: number | null
  weightGrams?: number | null
  barcode?: string | number | null
  soldOut?: boolean | null
  colophon?: unknown | null
  coverStory?: Plinth.SentLink
  articles?: Plinth.SentLinks
  correction?: Plinth.SentLink
  dossiers?: Plinth.SentLinks
}
/** The `data` of a new entry. */
export type IssueCreate = Plinth.Needs<IssueUpdate, 'number' | 'title' | 'month'>
export interface IssueFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly IssueFilters<Has>[]
  $or?: readonly IssueFilters<Has>[]
  $not?: IssueFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  number?: Plinth.Test<number>
  title?: Plinth.Test<string>
  month?: Plinth.Test<string>
  onSaleAt?: Plinth.Test<string | number | globalThis.Date>
  sentToPrintAt?: Plinth.Test<string | number | globalThis.Date>
  price?: Plinth.Test<number>
  weightGrams?: Plinth.Test<number>
  barcode?: Plinth.Test<string | number>
  soldOut?: Plinth.Test<boolean>
  colophon?: Plinth.Test<string>
  coverStory?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  articles?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  correction?: Plinth.Test<Plinth.Id> | CorrectionFilters<Has>
  dossiers?: Plinth.Test<Plinth.Id> | DossierFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type IssueField = keyof Issue
export type IssueSort = Plinth.Sort<IssueField>
export type IssuePopulate = keyof IssueLinks

/** api::page.page: A page built of sections */
export interface Page {
  id: number
  title: string
  slug: string
  createdAt: string | null
  updatedAt: string | null
  publishedAt: string | null
  locale: string | null
}
/** Attributes that only queries with all rights return. */
export interface PagePrivate {}
/** The attributes that can be populated. */
export interface PageLinks {
  sections: { zone: 'sections.text' | 'sections.article-list' | 'sections.contact' | 'shared.quote' | 'shared.callout' | 'shared.gallery' }
  seo: { one: 'shared.seo' }
  localizations: { many: 'api::page.page' }
}
export interface PagePrivateLinks {}
/** An entry with what may be populated. */
export interface PageEntry extends Page {
  sections?: (({ __component: 'sections.text' } & ComponentSectionsTextEntry) | ({ __component: 'sections.article-list' } & ComponentSectionsArticleListEntry) | ({ __component: 'sections.contact' } & ComponentSectionsContactEntry) | ({ __component: 'shared.quote' } & ComponentSharedQuoteEntry) | ({ __component: 'shared.callout' } & ComponentSharedCalloutEntry) | ({ __component: 'shared.gallery' } & ComponentSharedGalleryEntry))[]
  seo?: ComponentSharedSeoEntry | null
  localizations?: PageEntry[]
}
/** The `data` of a change. */
export interface PageUpdate {
  title?: string | null
  slug?: string | null
  sections?: readonly (({ readonly __component: 'sections.text' } & ComponentSectionsTextCreate) | ({ readonly __component: 'sections.article-list' } & ComponentSectionsArticleListCreate) | ({ readonly __component: 'sections.contact' } & ComponentSectionsContactCreate) | ({ readonly __component: 'shared.quote' } & ComponentSharedQuoteCreate) | ({ readonly __component: 'shared.callout' } & ComponentSharedCalloutCreate) | ({ readonly __component: 'shared.gallery' } & ComponentSharedGalleryCreate))[] | null
  seo?: ComponentSharedSeoCreate | null
  publishedAt?: string | number | globalThis.Date | null
  localizations?: Plinth.SentLinks
  locale?: string | null
}
/** The `data` of a new entry. */
export type PageCreate = Plinth.Needs<PageUpdate, 'title' | 'slug' | 'sections'> | (PageUpdate & { readonly publishedAt: null })
export interface PageFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly PageFilters<Has>[]
  $or?: readonly PageFilters<Has>[]
  $not?: PageFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  title?: Plinth.Test<string>
  slug?: Plinth.Test<string>
  seo?: Plinth.Test<Plinth.Id> | ComponentSharedSeoFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
  publishedAt?: Plinth.Test<string | number | globalThis.Date>
  localizations?: Plinth.Test<Plinth.Id> | PageFilters<Has>
  locale?: Plinth.Test<string>
}
export type PageField = keyof Page
export type PageSort = Plinth.Sort<PageField>
export type PagePopulate = keyof PageLinks

/** api::tag.tag: A word that articles share */
export interface Tag {
  id: number
  name: string
  slug: string
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface TagPrivate {}
/** The attributes that can be populated. */
export interface TagLinks {
  articles: { many: 'api::article.article' }
}
export interface TagPrivateLinks {}
/** An entry with what may be populated. */
export interface TagEntry extends Tag {
  articles?: ArticleEntry[]
}
/** The `data` of a change. */
export interface TagUpdate {
  name?: string
  slug?: string
  articles?: Plinth.SentLinks
}
/** The `data` of a new entry. */
export type TagCreate = Plinth.Needs<TagUpdate, 'name' | 'slug'>
export interface TagFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly TagFilters<Has>[]
  $or?: readonly TagFilters<Has>[]
  $not?: TagFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  slug?: Plinth.Test<string>
  articles?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type TagField = keyof Tag
export type TagSort = Plinth.Sort<TagField>
export type TagPopulate = keyof TagLinks

/** magazine.ingredient */
export interface ComponentMagazineIngredient {
  id: number
  name: string
  amount: number | null
  unit: 'g' | 'ml' | 'spoon' | 'piece' | 'pinch' | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentMagazineIngredientPrivate {}
/** The attributes that can be populated. */
export interface ComponentMagazineIngredientLinks {}
export interface ComponentMagazineIngredientPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentMagazineIngredientEntry extends ComponentMagazineIngredient {}
/** The `data` of a change. */
export interface ComponentMagazineIngredientUpdate {
  id?: Plinth.Id
  name?: string
  amount?: number | null
  unit?: 'g' | 'ml' | 'spoon' | 'piece' | 'pinch' | null
}
/** The `data` of a new entry. */
export type ComponentMagazineIngredientCreate = Plinth.Needs<ComponentMagazineIngredientUpdate, 'name'>
export interface ComponentMagazineIngredientFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentMagazineIngredientFilters<Has>[]
  $or?: readonly ComponentMagazineIngredientFilters<Has>[]
  $not?: ComponentMagazineIngredientFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  amount?: Plinth.Test<number>
  unit?: Plinth.Test<'g' | 'ml' | 'spoon' | 'piece' | 'pinch'>
}
export type ComponentMagazineIngredientField = keyof ComponentMagazineIngredient
export type ComponentMagazineIngredientSort = Plinth.Sort<ComponentMagazineIngredientField>
export type ComponentMagazineIngredientPopulate = keyof ComponentMagazineIngredientLinks

/** magazine.itinerary */
export interface ComponentMagazineItinerary {
  id: number
  title: string
  kilometres: number | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentMagazineItineraryPrivate {}
/** The attributes that can be populated. */
export interface ComponentMagazineItineraryLinks {
  stops: { many: 'magazine.stop' }
}
export interface ComponentMagazineItineraryPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentMagazineItineraryEntry extends ComponentMagazineItinerary {
  stops?: ComponentMagazineStopEntry[]
}
/** The `data` of a change. */
export interface ComponentMagazineItineraryUpdate {
  id?: Plinth.Id
  title?: string
  kilometres?: number | null
  stops?: readonly ComponentMagazineStopCreate[] | null
}
/** The `data` of a new entry. */
export type ComponentMagazineItineraryCreate = Plinth.Needs<ComponentMagazineItineraryUpdate, 'title'>
export interface ComponentMagazineItineraryFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentMagazineItineraryFilters<Has>[]
  $or?: readonly ComponentMagazineItineraryFilters<Has>[]
  $not?: ComponentMagazineItineraryFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  title?: Plinth.Test<string>
  kilometres?: Plinth.Test<number>
  stops?: Plinth.Test<Plinth.Id> | ComponentMagazineStopFilters<Has>
}
export type ComponentMagazineItineraryField = keyof ComponentMagazineItinerary
export type ComponentMagazineItinerarySort = Plinth.Sort<ComponentMagazineItineraryField>
export type ComponentMagazineItineraryPopulate = keyof ComponentMagazineItineraryLinks

/** magazine.recipe */
export interface ComponentMagazineRecipe {
  id: number
  name: string
  serves: number | null
  minutes: number | null
  method: string | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentMagazineRecipePrivate {}
/** The attributes that can be populated. */
export interface ComponentMagazineRecipeLinks {
  ingredients: { many: 'magazine.ingredient' }
}
export interface ComponentMagazineRecipePrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentMagazineRecipeEntry extends ComponentMagazineRecipe {
  ingredients?: ComponentMagazineIngredientEntry[]
}
/** The `data` of a change. */
export interface ComponentMagazineRecipeUpdate {
  id?: Plinth.Id
  name?: string
  serves?: number | null
  minutes?: number | null
  ingredients?: readonly ComponentMagazineIngredientCreate[] | null
  method?: string | null
}
/** The `data` of a new entry. */
export type ComponentMagazineRecipeCreate = Plinth.Needs<ComponentMagazineRecipeUpdate, 'name'>
export interface ComponentMagazineRecipeFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentMagazineRecipeFilters<Has>[]
  $or?: readonly ComponentMagazineRecipeFilters<Has>[]
  $not?: ComponentMagazineRecipeFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  serves?: Plinth.Test<number>
  minutes?: Plinth.Test<number>
  ingredients?: Plinth.Test<Plinth.Id> | ComponentMagazineIngredientFilters<Has>
  method?: Plinth.Test<string>
}
export type ComponentMagazineRecipeField = keyof ComponentMagazineRecipe
export type ComponentMagazineRecipeSort = Plinth.Sort<ComponentMagazineRecipeField>
export type ComponentMagazineRecipePopulate = keyof ComponentMagazineRecipeLinks

/** magazine.stop */
export interface ComponentMagazineStop {
  id: number
  place: string
  at: string | null
  note: string | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentMagazineStopPrivate {}
/** The attributes that can be populated. */
export interface ComponentMagazineStopLinks {}
export interface ComponentMagazineStopPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentMagazineStopEntry extends ComponentMagazineStop {}
/** The `data` of a change. */
export interface ComponentMagazineStopUpdate {
  id?: Plinth.Id
  place?: string
  at?: string | null
  note?: string | null
}
/** The `data` of a new entry. */
export type ComponentMagazineStopCreate = Plinth.Needs<ComponentMagazineStopUpdate, 'place'>
export interface ComponentMagazineStopFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentMagazineStopFilters<Has>[]
  $or?: readonly ComponentMagazineStopFilters<Has>[]
  $not?: ComponentMagazineStopFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  place?: Plinth.Test<string>
  at?: Plinth.Test<string>
  note?: Plinth.Test<string>
}
export type ComponentMagazineStopField = keyof ComponentMagazineStop
export type ComponentMagazineStopSort = Plinth.Sort<ComponentMagazineStopField>
export type ComponentMagazineStopPopulate = keyof ComponentMagazineStopLinks

/** plugin::i18n.locale */
export interface Locale {
  id: number
  name: string | null
  code: string | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface LocalePrivate {}
/** The attributes that can be populated. */
export interface LocaleLinks {}
export interface LocalePrivateLinks {}
/** An entry with what may be populated. */
export interface LocaleEntry extends Locale {}
/** The `data` of a change. */
export interface LocaleUpdate {
  name?: string | null
  code?: string | null
}
/** The `data` of a new entry. */
export type LocaleCreate = LocaleUpdate
export interface LocaleFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly LocaleFilters<Has>[]
  $or?: readonly LocaleFilters<Has>[]
  $not?: LocaleFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  code?: Plinth.Test<string>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type LocaleField = keyof Locale
export type LocaleSort = Plinth.Sort<LocaleField>
export type LocalePopulate = keyof LocaleLinks

/** plugin::upload.file */
export interface UploadFile {
  id: number
  name: string
  alternativeText: string | null
  caption: string | null
  width: number | null
  height: number | null
  formats: Plinth.Json | null
  hash: string
  ext: string | null
  mime: string
  size: number
  url: string
  previewUrl: string | null
  provider: string
  provider_metadata: Plinth.Json | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface UploadFilePrivate {
  folderPath: string
}
/** The attributes that can be populated. */
export interface UploadFileLinks {
  related: { any: 'many' }
}
export interface UploadFilePrivateLinks {
  folder: { one: 'plugin::upload.folder' }
}
/** An entry with what may be populated. */
export interface UploadFileEntry extends UploadFile {
  related?: ({ id: number; __type: string } & Record<string, unknown>)[]
}
/** The `data` of a change. */
export interface UploadFileUpdate {
  name?: string
  alternativeText?: string | null
  caption?: string | null
  width?: number | null
  height?: number | null
  formats?: unknown | null
  hash?: string
  ext?: string | null
  mime?: string
  size?: number
  url?: string
  previewUrl?: string | null
  provider?: string
  provider_metadata?: unknown | null
  related?: Plinth.SentAnys
  folder?: Plinth.SentLink
  folderPath?: string
}
/** The `data` of a new entry. */
export type UploadFileCreate = Plinth.Needs<UploadFileUpdate, 'name' | 'hash' | 'mime' | 'size' | 'url' | 'provider' | 'folderPath'>
export interface UploadFileFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly UploadFileFilters<Has>[]
  $or?: readonly UploadFileFilters<Has>[]
  $not?: UploadFileFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  alternativeText?: Plinth.Test<string>
  caption?: Plinth.Test<string>
  width?: Plinth.Test<number>
  height?: Plinth.Test<number>
  formats?: Plinth.Test<string>
  hash?: Plinth.Test<string>
  ext?: Plinth.Test<string>
  mime?: Plinth.Test<string>
  size?: Plinth.Test<number>
  url?: Plinth.Test<string>
  previewUrl?: Plinth.Test<string>
  provider?: Plinth.Test<string>
  provider_metadata?: Plinth.Test<string>
  folder?: Plinth.Private<Has, Plinth.Test<Plinth.Id> | UploadFolderFilters<Has>>
  folderPath?: Plinth.Private<Has, Plinth.Test<string>>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type UploadFileField = keyof UploadFile
export type UploadFileSort = Plinth.Sort<UploadFileField>
export type UploadFilePopulate = keyof UploadFileLinks

/** plugin::upload.folder */
export interface UploadFolder {
  id: number
  name: string
  pathId: number
  path: string
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface UploadFolderPrivate {}
/** The attributes that can be populated. */
export interface UploadFolderLinks {
  parent: { one: 'plugin::upload.folder' }
  children: { many: 'plugin::upload.folder' }
  files: { many: 'plugin::upload.file' }
}
export interface UploadFolderPrivateLinks {}
/** An entry with what may be populated. */
export interface UploadFolderEntry extends UploadFolder {
  parent?: UploadFolderEntry | null
  children?: UploadFolderEntry[]
  files?: UploadFileEntry[]
}
/** The `data` of a change. */
export interface UploadFolderUpdate {
  name?: string
  pathId?: number
  parent?: Plinth.SentLink
  children?: Plinth.SentLinks
  files?: Plinth.SentLinks
  path?: string
}
/** The `data` of a new entry. */
export type UploadFolderCreate = Plinth.Needs<UploadFolderUpdate, 'name' | 'pathId' | 'path'>
export interface UploadFolderFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly UploadFolderFilters<Has>[]
  $or?: readonly UploadFolderFilters<Has>[]
  $not?: UploadFolderFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  pathId?: Plinth.Test<number>
  parent?: Plinth.Test<Plinth.Id> | UploadFolderFilters<Has>
  children?: Plinth.Test<Plinth.Id> | UploadFolderFilters<Has>
  files?: Plinth.Test<Plinth.Id> | UploadFileFilters<Has>
  path?: Plinth.Test<string>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type UploadFolderField = keyof UploadFolder
export type UploadFolderSort = Plinth.Sort<UploadFolderField>
export type UploadFolderPopulate = keyof UploadFolderLinks

/** plugin::users-permissions.permission */
export interface UsersPermissionsPermission {
  id: number
  action: string
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface UsersPermissionsPermissionPrivate {}
/** The attributes that can be populated. */
export interface UsersPermissionsPermissionLinks {
  role: { one: 'plugin::users-permissions.role' }
}
export interface UsersPermissionsPermissionPrivateLinks {}
/** An entry with what may be populated. */
export interface UsersPermissionsPermissionEntry extends UsersPermissionsPermission {
  role?: UsersPermissionsRoleEntry | null
}
/** The `data` of a change. */
export interface UsersPermissionsPermissionUpdate {
  action?: string
  role?: Plinth.SentLink
}
/** The `data` of a new entry. */
export type UsersPermissionsPermissionCreate = Plinth.Needs<UsersPermissionsPermissionUpdate, 'action'>
export interface UsersPermissionsPermissionFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly UsersPermissionsPermissionFilters<Has>[]
  $or?: readonly UsersPermissionsPermissionFilters<Has>[]
  $not?: UsersPermissionsPermissionFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  action?: Plinth.Test<string>
  role?: Plinth.Test<Plinth.Id> | UsersPermissionsRoleFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type UsersPermissionsPermissionField = keyof UsersPermissionsPermission
export type UsersPermissionsPermissionSort = Plinth.Sort<UsersPermissionsPermissionField>
export type UsersPermissionsPermissionPopulate = keyof UsersPermissionsPermissionLinks

/** plugin::users-permissions.role */
export interface UsersPermissionsRole {
  id: number
  name: string
  description: string | null
  type: string | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface UsersPermissionsRolePrivate {}
/** The attributes that can be populated. */
export interface UsersPermissionsRoleLinks {
  permissions: { many: 'plugin::users-permissions.permission' }
  users: { many: 'plugin::users-permissions.user' }
}
export interface UsersPermissionsRolePrivateLinks {}
/** An entry with what may be populated. */
export interface UsersPermissionsRoleEntry extends UsersPermissionsRole {
  permissions?: UsersPermissionsPermissionEntry[]
  users?: UsersPermissionsUserEntry[]
}
/** The `data` of a change. */
export interface UsersPermissionsRoleUpdate {
  name?: string
  description?: string | null
  type?: string | null
  permissions?: Plinth.SentLinks
  users?: Plinth.SentLinks
}
/** The `data` of a new entry. */
export type UsersPermissionsRoleCreate = Plinth.Needs<UsersPermissionsRoleUpdate, 'name'>
export interface UsersPermissionsRoleFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly UsersPermissionsRoleFilters<Has>[]
  $or?: readonly UsersPermissionsRoleFilters<Has>[]
  $not?: UsersPermissionsRoleFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  name?: Plinth.Test<string>
  description?: Plinth.Test<string>
  type?: Plinth.Test<string>
  permissions?: Plinth.Test<Plinth.Id> | UsersPermissionsPermissionFilters<Has>
  users?: Plinth.Test<Plinth.Id> | UsersPermissionsUserFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
}
export type UsersPermissionsRoleField = keyof UsersPermissionsRole
export type UsersPermissionsRoleSort = Plinth.Sort<UsersPermissionsRoleField>
export type UsersPermissionsRolePopulate = keyof UsersPermissionsRoleLinks

/** plugin::users-permissions.user */
export interface UsersPermissionsUser {
  id: number
  username: string
  email: string
  provider: string | null
  confirmed: boolean | null
  blocked: boolean | null
  createdAt: string | null
  updatedAt: string | null
}
/** Attributes that only queries with all rights return. */
export interface UsersPermissionsUserPrivate {
  password: string | null
  resetPasswordToken: string | null
  confirmationToken: string | null
  tokensValidFrom: string | null
}
/** The attributes that can be populated. */
export interface UsersPermissionsUserLinks {
  role: { one: 'plugin::users-permissions.role' }
}
export interface UsersPermissionsUserPrivateLinks {}
/** An entry with what may be populated. */
export interface UsersPermissionsUserEntry extends UsersPermissionsUser {
  role?: UsersPermissionsRoleEntry | null
}
/** The `data` of a change. */
export interface UsersPermissionsUserUpdate {
  username?: string
  email?: string
  provider?: string | null
  password?: string | null
  resetPasswordToken?: string | null
  confirmationToken?: string | null
  confirmed?: boolean | null
  blocked?: boolean | null
  role?: Plinth.SentLink
  tokensValidFrom?: string | number | globalThis.Date | null
}
/** The `data` of a new entry. */
export type UsersPermissionsUserCreate = Plinth.Needs<UsersPermissionsUserUpdate, 'username' | 'email'>
export interface UsersPermissionsUserFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly UsersPermissionsUserFilters<Has>[]
  $or?: readonly UsersPermissionsUserFilters<Has>[]
  $not?: UsersPermissionsUserFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  username?: Plinth.Test<string>
  email?: Plinth.Test<string>
  provider?: Plinth.Test<string>
  password?: Plinth.Private<Has, Plinth.Test<string>>
  resetPasswordToken?: Plinth.Private<Has, Plinth.Test<string>>
  confirmationToken?: Plinth.Private<Has, Plinth.Test<string>>
  confirmed?: Plinth.Test<boolean>
  blocked?: Plinth.Test<boolean>
  role?: Plinth.Test<Plinth.Id> | UsersPermissionsRoleFilters<Has>
  createdAt?: Plinth.Test<string | number | globalThis.Date>
  updatedAt?: Plinth.Test<string | number | globalThis.Date>
  tokensValidFrom?: Plinth.Private<Has, Plinth.Test<string | number | globalThis.Date>>
}
export type UsersPermissionsUserField = keyof UsersPermissionsUser
export type UsersPermissionsUserSort = Plinth.Sort<UsersPermissionsUserField>
export type UsersPermissionsUserPopulate = keyof UsersPermissionsUserLinks

/** sections.article-list */
export interface ComponentSectionsArticleList {
  id: number
  heading: string
}
/** Attributes that only queries with all rights return. */
export interface ComponentSectionsArticleListPrivate {}
/** The attributes that can be populated. */
export interface ComponentSectionsArticleListLinks {
  articles: { many: 'api::article.article' }
  more: { one: 'shared.link' }
}
export interface ComponentSectionsArticleListPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSectionsArticleListEntry extends ComponentSectionsArticleList {
  articles?: ArticleEntry[]
  more?: ComponentSharedLinkEntry | null
}
/** The `data` of a change. */
export interface ComponentSectionsArticleListUpdate {
  id?: Plinth.Id
  heading?: string
  articles?: Plinth.SentLinks
  more?: ComponentSharedLinkCreate | null
}
/** The `data` of a new entry. */
export type ComponentSectionsArticleListCreate = Plinth.Needs<ComponentSectionsArticleListUpdate, 'heading'>
export interface ComponentSectionsArticleListFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSectionsArticleListFilters<Has>[]
  $or?: readonly ComponentSectionsArticleListFilters<Has>[]
  $not?: ComponentSectionsArticleListFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  heading?: Plinth.Test<string>
  articles?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  more?: Plinth.Test<Plinth.Id> | ComponentSharedLinkFilters<Has>
}
export type ComponentSectionsArticleListField = keyof ComponentSectionsArticleList
export type ComponentSectionsArticleListSort = Plinth.Sort<ComponentSectionsArticleListField>
export type ComponentSectionsArticleListPopulate = keyof ComponentSectionsArticleListLinks

/** sections.contact */
export interface ComponentSectionsContact {
  id: number
  heading: string
  email: string | null
  openingHours: Plinth.Json | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentSectionsContactPrivate {}
/** The attributes that can be populated. */
export interface ComponentSectionsContactLinks {
  links: { many: 'shared.link' }
}
export interface ComponentSectionsContactPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSectionsContactEntry extends ComponentSectionsContact {
  links?: ComponentSharedLinkEntry[]
}
/** The `data` of a change. */
export interface ComponentSectionsContactUpdate {
  id?: Plinth.Id
  heading?: string
  email?: string | null
  openingHours?: unknown | null
  links?: readonly ComponentSharedLinkCreate[] | null
}
/** The `data` of a new entry. */
export type ComponentSectionsContactCreate = Plinth.Needs<ComponentSectionsContactUpdate, 'heading'>
export interface ComponentSectionsContactFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSectionsContactFilters<Has>[]
  $or?: readonly ComponentSectionsContactFilters<Has>[]
  $not?: ComponentSectionsContactFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  heading?: Plinth.Test<string>
  email?: Plinth.Test<string>
  openingHours?: Plinth.Test<string>
  links?: Plinth.Test<Plinth.Id> | ComponentSharedLinkFilters<Has>
}
export type ComponentSectionsContactField = keyof ComponentSectionsContact
export type ComponentSectionsContactSort = Plinth.Sort<ComponentSectionsContactField>
export type ComponentSectionsContactPopulate = keyof ComponentSectionsContactLinks

/** sections.hero */
export interface ComponentSectionsHero {
  id: number
  heading: string
  text: string | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentSectionsHeroPrivate {}
/** The attributes that can be populated. */
export interface ComponentSectionsHeroLinks {
  article: { one: 'api::article.article' }
  link: { one: 'shared.link' }
  picture: { one: 'plugin::upload.file' }
}
export interface ComponentSectionsHeroPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSectionsHeroEntry extends ComponentSectionsHero {
  article?: ArticleEntry | null
  link?: ComponentSharedLinkEntry | null
  picture?: UploadFileEntry | null
}
/** The `data` of a change. */
export interface ComponentSectionsHeroUpdate {
  id?: Plinth.Id
  heading?: string
  text?: string | null
  article?: Plinth.SentLink
  link?: ComponentSharedLinkCreate | null
  picture?: Plinth.SentLink
}
/** The `data` of a new entry. */
export type ComponentSectionsHeroCreate = Plinth.Needs<ComponentSectionsHeroUpdate, 'heading'>
export interface ComponentSectionsHeroFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSectionsHeroFilters<Has>[]
  $or?: readonly ComponentSectionsHeroFilters<Has>[]
  $not?: ComponentSectionsHeroFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  heading?: Plinth.Test<string>
  text?: Plinth.Test<string>
  article?: Plinth.Test<Plinth.Id> | ArticleFilters<Has>
  link?: Plinth.Test<Plinth.Id> | ComponentSharedLinkFilters<Has>
  picture?: Plinth.Test<Plinth.Id> | UploadFileFilters<Has>
}
export type ComponentSectionsHeroField = keyof ComponentSectionsHero
export type ComponentSectionsHeroSort = Plinth.Sort<ComponentSectionsHeroField>
export type ComponentSectionsHeroPopulate = keyof ComponentSectionsHeroLinks

/** sections.text */
export interface ComponentSectionsText {
  id: number
  heading: string | null
  body: Plinth.Block[] | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentSectionsTextPrivate {}
/** The attributes that can be populated. */
export interface ComponentSectionsTextLinks {}
export interface ComponentSectionsTextPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSectionsTextEntry extends ComponentSectionsText {}
/** The `data` of a change. */
export interface ComponentSectionsTextUpdate {
  id?: Plinth.Id
  heading?: string | null
  body?: readonly Plinth.Block[] | null
}
/** The `data` of a new entry. */
export type ComponentSectionsTextCreate = ComponentSectionsTextUpdate
export interface ComponentSectionsTextFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSectionsTextFilters<Has>[]
  $or?: readonly ComponentSectionsTextFilters<Has>[]
  $not?: ComponentSectionsTextFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  heading?: Plinth.Test<string>
  body?: Plinth.Test<string>
}
export type ComponentSectionsTextField = keyof ComponentSectionsText
export type ComponentSectionsTextSort = Plinth.Sort<ComponentSectionsTextField>
export type ComponentSectionsTextPopulate = keyof ComponentSectionsTextLinks

/** shared.callout */
export interface ComponentSharedCallout {
  id: number
  tone: 'note' | 'tip' | 'warning'
  heading: string | null
  text: string
}
/** Attributes that only queries with all rights return. */
export interface ComponentSharedCalloutPrivate {}
/** The attributes that can be populated. */
export interface ComponentSharedCalloutLinks {}
export interface ComponentSharedCalloutPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSharedCalloutEntry extends ComponentSharedCallout {}
/** The `data` of a change. */
export interface ComponentSharedCalloutUpdate {
  id?: Plinth.Id
  tone?: 'note' | 'tip' | 'warning'
  heading?: string | null
  text?: string
}
/** The `data` of a new entry. */
export type ComponentSharedCalloutCreate = Plinth.Needs<ComponentSharedCalloutUpdate, 'text'>
export interface ComponentSharedCalloutFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSharedCalloutFilters<Has>[]
  $or?: readonly ComponentSharedCalloutFilters<Has>[]
  $not?: ComponentSharedCalloutFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  tone?: Plinth.Test<'note' | 'tip' | 'warning'>
  heading?: Plinth.Test<string>
  text?: Plinth.Test<string>
}
export type ComponentSharedCalloutField = keyof ComponentSharedCallout
export type ComponentSharedCalloutSort = Plinth.Sort<ComponentSharedCalloutField>
export type ComponentSharedCalloutPopulate = keyof ComponentSharedCalloutLinks

/** shared.gallery */
export interface ComponentSharedGallery {
  id: number
  caption: string | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentSharedGalleryPrivate {}
/** The attributes that can be populated. */
export interface ComponentSharedGalleryLinks {
  images: { many: 'plugin::upload.file'; orNull: true }
}
export interface ComponentSharedGalleryPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSharedGalleryEntry extends ComponentSharedGallery {
  images?: UploadFileEntry[]
}
/** The `data` of a change. */
export interface ComponentSharedGalleryUpdate {
  id?: Plinth.Id
  caption?: string | null
  images?: Plinth.SentLinks
}
/** The `data` of a new entry. */
export type ComponentSharedGalleryCreate = ComponentSharedGalleryUpdate
export interface ComponentSharedGalleryFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSharedGalleryFilters<Has>[]
  $or?: readonly ComponentSharedGalleryFilters<Has>[]
  $not?: ComponentSharedGalleryFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  caption?: Plinth.Test<string>
  images?: Plinth.Test<Plinth.Id> | UploadFileFilters<Has>
}
export type ComponentSharedGalleryField = keyof ComponentSharedGallery
export type ComponentSharedGallerySort = Plinth.Sort<ComponentSharedGalleryField>
export type ComponentSharedGalleryPopulate = keyof ComponentSharedGalleryLinks

/** shared.link */
export interface ComponentSharedLink {
  id: number
  label: string
  url: string
  external: boolean | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentSharedLinkPrivate {}
/** The attributes that can be populated. */
export interface ComponentSharedLinkLinks {}
export interface ComponentSharedLinkPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSharedLinkEntry extends ComponentSharedLink {}
/** The `data` of a change. */
export interface ComponentSharedLinkUpdate {
  id?: Plinth.Id
  label?: string
  url?: string
  external?: boolean | null
}
/** The `data` of a new entry. */
export type ComponentSharedLinkCreate = Plinth.Needs<ComponentSharedLinkUpdate, 'label' | 'url'>
export interface ComponentSharedLinkFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSharedLinkFilters<Has>[]
  $or?: readonly ComponentSharedLinkFilters<Has>[]
  $not?: ComponentSharedLinkFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  label?: Plinth.Test<string>
  url?: Plinth.Test<string>
  external?: Plinth.Test<boolean>
}
export type ComponentSharedLinkField = keyof ComponentSharedLink
export type ComponentSharedLinkSort = Plinth.Sort<ComponentSharedLinkField>
export type ComponentSharedLinkPopulate = keyof ComponentSharedLinkLinks

/** shared.quote */
export interface ComponentSharedQuote {
  id: number
  text: string
  source: string | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentSharedQuotePrivate {}
/** The attributes that can be populated. */
export interface ComponentSharedQuoteLinks {}
export interface ComponentSharedQuotePrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSharedQuoteEntry extends ComponentSharedQuote {}
/** The `data` of a change. */
export interface ComponentSharedQuoteUpdate {
  id?: Plinth.Id
  text?: string
  source?: string | null
}
/** The `data` of a new entry. */
export type ComponentSharedQuoteCreate = Plinth.Needs<ComponentSharedQuoteUpdate, 'text'>
export interface ComponentSharedQuoteFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSharedQuoteFilters<Has>[]
  $or?: readonly ComponentSharedQuoteFilters<Has>[]
  $not?: ComponentSharedQuoteFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  text?: Plinth.Test<string>
  source?: Plinth.Test<string>
}
export type ComponentSharedQuoteField = keyof ComponentSharedQuote
export type ComponentSharedQuoteSort = Plinth.Sort<ComponentSharedQuoteField>
export type ComponentSharedQuotePopulate = keyof ComponentSharedQuoteLinks

/** shared.seo */
export interface ComponentSharedSeo {
  id: number
  metaTitle: string
  metaDescription: string | null
}
/** Attributes that only queries with all rights return. */
export interface ComponentSharedSeoPrivate {}
/** The attributes that can be populated. */
export interface ComponentSharedSeoLinks {
  metaImage: { one: 'plugin::upload.file' }
  social: { many: 'shared.link' }
}
export interface ComponentSharedSeoPrivateLinks {}
/** An entry with what may be populated. */
export interface ComponentSharedSeoEntry extends ComponentSharedSeo {
  metaImage?: UploadFileEntry | null
  social?: ComponentSharedLinkEntry[]
}
/** The `data` of a change. */
export interface ComponentSharedSeoUpdate {
  id?: Plinth.Id
  metaTitle?: string
  metaDescription?: string | null
  metaImage?: Plinth.SentLink
  social?: readonly ComponentSharedLinkCreate[] | null
}
/** The `data` of a new entry. */
export type ComponentSharedSeoCreate = Plinth.Needs<ComponentSharedSeoUpdate, 'metaTitle'>
export interface ComponentSharedSeoFilters<Has extends Plinth.Rights = 'caller'> {
  $and?: readonly ComponentSharedSeoFilters<Has>[]
  $or?: readonly ComponentSharedSeoFilters<Has>[]
  $not?: ComponentSharedSeoFilters<Has>
  id?: Plinth.Test<Plinth.Id>
  metaTitle?: Plinth.Test<string>
  metaDescription?: Plinth.Test<string>
  metaImage?: Plinth.Test<Plinth.Id> | UploadFileFilters<Has>
  social?: Plinth.Test<Plinth.Id> | ComponentSharedLinkFilters<Has>
}
export type ComponentSharedSeoField = keyof ComponentSharedSeo
export type ComponentSharedSeoSort = Plinth.Sort<ComponentSharedSeoField>
export type ComponentSharedSeoPopulate = keyof ComponentSharedSeoLinks

declare global {
  namespace Plinth {
    interface ContentTypes {
      'admin::api-token': {
        kind: 'collectionType'
        singularName: 'api-token'
        pluralName: 'api-tokens'
        values: ApiToken
        privateValues: ApiTokenPrivate
        links: ApiTokenLinks
        privateLinks: ApiTokenPrivateLinks
        create: ApiTokenCreate
        update: ApiTokenUpdate
        filters: ApiTokenFilters
        privateFilters: ApiTokenFilters<'all'>
      }
      'admin::api-token-permission': {
        kind: 'collectionType'
        singularName: 'api-token-permission'
        pluralName: 'api-token-permissions'
        values: ApiTokenPermission
        privateValues: ApiTokenPermissionPrivate
        links: ApiTokenPermissionLinks
        privateLinks: ApiTokenPermissionPrivateLinks
        create: ApiTokenPermissionCreate
        update: ApiTokenPermissionUpdate
        filters: ApiTokenPermissionFilters
        privateFilters: ApiTokenPermissionFilters<'all'>
      }
      'api::article.article': {
        kind: 'collectionType'
        singularName: 'article'
        pluralName: 'articles'
        values: Article
        privateValues: ArticlePrivate
        links: ArticleLinks
        privateLinks: ArticlePrivateLinks
        create: ArticleCreate
        update: ArticleUpdate
        filters: ArticleFilters
        privateFilters: ArticleFilters<'all'>
      }
      'api::author.author': {
        kind: 'collectionType'
        singularName: 'author'
        pluralName: 'authors'
        values: Author
        privateValues: AuthorPrivate
        links: AuthorLinks
        privateLinks: AuthorPrivateLinks
        create: AuthorCreate
        update: AuthorUpdate
        filters: AuthorFilters
        privateFilters: AuthorFilters<'all'>
      }
      'api::category.category': {
        kind: 'collectionType'
        singularName: 'category'
        pluralName: 'categories'
        values: Category
        privateValues: CategoryPrivate
        links: CategoryLinks
        privateLinks: CategoryPrivateLinks
        create: CategoryCreate
        update: CategoryUpdate
        filters: CategoryFilters
        privateFilters: CategoryFilters<'all'>
      }
      'api::comment.comment': {
        kind: 'collectionType'
        singularName: 'comment'
        pluralName: 'comments'
        values: Comment
        privateValues: CommentPrivate
        links: CommentLinks
        privateLinks: CommentPrivateLinks
        create: CommentCreate
        update: CommentUpdate
        filters: CommentFilters
        privateFilters: CommentFilters<'all'>
      }
      'api::correction.correction': {
        kind: 'collectionType'
        singularName: 'correction'
        pluralName: 'corrections'
        values: Correction
        privateValues: CorrectionPrivate
        links: CorrectionLinks
        privateLinks: CorrectionPrivateLinks
        create: CorrectionCreate
        update: CorrectionUpdate
        filters: CorrectionFilters
        privateFilters: CorrectionFilters<'all'>
      }
      'api::desk.desk': {
        kind: 'collectionType'
        singularName: 'desk'
        pluralName: 'desks'
        values: Desk
        privateValues: DeskPrivate
        links: DeskLinks
        privateLinks: DeskPrivateLinks
        create: DeskCreate
        update: DeskUpdate
        filters: DeskFilters
        privateFilters: DeskFilters<'all'>
      }
      'api::dossier.dossier': {
        kind: 'collectionType'
        singularName: 'dossier'
        pluralName: 'dossiers'
        values: Dossier
        privateValues: DossierPrivate
        links: DossierLinks
        privateLinks: DossierPrivateLinks
        create: DossierCreate
        update: DossierUpdate
        filters: DossierFilters
        privateFilters: DossierFilters<'all'>
      }
      'api::homepage.homepage': {
        kind: 'singleType'
        singularName: 'homepage'
        pluralName: 'homepages'
        values: Homepage
        privateValues: HomepagePrivate
        links: HomepageLinks
        privateLinks: HomepagePrivateLinks
        create: HomepageCreate
        update: HomepageUpdate
        filters: HomepageFilters
        privateFilters: HomepageFilters<'all'>
      }
      'api::issue.issue': {
        kind: 'collectionType'
        singularName: 'issue'
        pluralName: 'issues'
        values: Issue
        privateValues: IssuePrivate
        links: IssueLinks
        privateLinks: IssuePrivateLinks
        create: IssueCreate
        update: IssueUpdate
        filters: IssueFilters
        privateFilters: IssueFilters<'all'>
      }
      'api::page.page': {
        kind: 'collectionType'
        singularName: 'page'
        pluralName: 'pages'
        values: Page
        privateValues: PagePrivate
        links: PageLinks
        privateLinks: PagePrivateLinks
        create: PageCreate
        update: PageUpdate
        filters: PageFilters
        privateFilters: PageFilters<'all'>
      }
      'api::tag.tag': {
        kind: 'collectionType'
        singularName: 'tag'
        pluralName: 'tags'
        values: Tag
        privateValues: TagPrivate
        links: TagLinks
        privateLinks: TagPrivateLinks
        create: TagCreate
        update: TagUpdate
        filters: TagFilters
        privateFilters: TagFilters<'all'>
      }
      'plugin::i18n.locale': {
        kind: 'collectionType'
        singularName: 'locale'
        pluralName: 'locales'
        values: Locale
        privateValues: LocalePrivate
        links: LocaleLinks
        privateLinks: LocalePrivateLinks
        create: LocaleCreate
        update: LocaleUpdate
        filters: LocaleFilters
        privateFilters: LocaleFilters<'all'>
      }
      'plugin::upload.file': {
        kind: 'collectionType'
        singularName: 'file'
        pluralName: 'files'
        values: UploadFile
        privateValues: UploadFilePrivate
        links: UploadFileLinks
        privateLinks: UploadFilePrivateLinks
        create: UploadFileCreate
        update: UploadFileUpdate
        filters: UploadFileFilters
        privateFilters: UploadFileFilters<'all'>
      }
      'plugin::upload.folder': {
        kind: 'collectionType'
        singularName: 'folder'
        pluralName: 'folders'
        values: UploadFolder
        privateValues: UploadFolderPrivate
        links: UploadFolderLinks
        privateLinks: UploadFolderPrivateLinks
        create: UploadFolderCreate
        update: UploadFolderUpdate
        filters: UploadFolderFilters
        privateFilters: UploadFolderFilters<'all'>
      }
      'plugin::users-permissions.permission': {
        kind: 'collectionType'
        singularName: 'permission'
        pluralName: 'permissions'
        values: UsersPermissionsPermission
        privateValues: UsersPermissionsPermissionPrivate
        links: UsersPermissionsPermissionLinks
        privateLinks: UsersPermissionsPermissionPrivateLinks
        create: UsersPermissionsPermissionCreate
        update: UsersPermissionsPermissionUpdate
        filters: UsersPermissionsPermissionFilters
        privateFilters: UsersPermissionsPermissionFilters<'all'>
      }
      'plugin::users-permissions.role': {
        kind: 'collectionType'
        singularName: 'role'
        pluralName: 'roles'
        values: UsersPermissionsRole
        privateValues: UsersPermissionsRolePrivate
        links: UsersPermissionsRoleLinks
        privateLinks: UsersPermissionsRolePrivateLinks
        create: UsersPermissionsRoleCreate
        update: UsersPermissionsRoleUpdate
        filters: UsersPermissionsRoleFilters
        privateFilters: UsersPermissionsRoleFilters<'all'>
      }
      'plugin::users-permissions.user': {
        kind: 'collectionType'
        singularName: 'user'
        pluralName: 'users'
        values: UsersPermissionsUser
        privateValues: UsersPermissionsUserPrivate
        links: UsersPermissionsUserLinks
        privateLinks: UsersPermissionsUserPrivateLinks
        create: UsersPermissionsUserCreate
        update: UsersPermissionsUserUpdate
        filters: UsersPermissionsUserFilters
        privateFilters: UsersPermissionsUserFilters<'all'>
      }
    }
    interface Components {
      'magazine.ingredient': {
        kind: 'component'
        values: ComponentMagazineIngredient
        privateValues: ComponentMagazineIngredientPrivate
        links: ComponentMagazineIngredientLinks
        privateLinks: ComponentMagazineIngredientPrivateLinks
        create: ComponentMagazineIngredientCreate
        update: ComponentMagazineIngredientUpdate
        filters: ComponentMagazineIngredientFilters
        privateFilters: ComponentMagazineIngredientFilters<'all'>
      }
      'magazine.itinerary': {
        kind: 'component'
        values: ComponentMagazineItinerary
        privateValues: ComponentMagazineItineraryPrivate
        links: ComponentMagazineItineraryLinks
        privateLinks: ComponentMagazineItineraryPrivateLinks
        create: ComponentMagazineItineraryCreate
        update: ComponentMagazineItineraryUpdate
        filters: ComponentMagazineItineraryFilters
        privateFilters: ComponentMagazineItineraryFilters<'all'>
      }
      'magazine.recipe': {
        kind: 'component'
        values: ComponentMagazineRecipe
        privateValues: ComponentMagazineRecipePrivate
        links: ComponentMagazineRecipeLinks
        privateLinks: ComponentMagazineRecipePrivateLinks
        create: ComponentMagazineRecipeCreate
        update: ComponentMagazineRecipeUpdate
        filters: ComponentMagazineRecipeFilters
        privateFilters: ComponentMagazineRecipeFilters<'all'>
      }
      'magazine.stop': {
        kind: 'component'
        values: ComponentMagazineStop
        privateValues: ComponentMagazineStopPrivate
        links: ComponentMagazineStopLinks
        privateLinks: ComponentMagazineStopPrivateLinks
        create: ComponentMagazineStopCreate
        update: ComponentMagazineStopUpdate
        filters: ComponentMagazineStopFilters
        privateFilters: ComponentMagazineStopFilters<'all'>
      }
      'sections.article-list': {
        kind: 'component'
        values: ComponentSectionsArticleList
        privateValues: ComponentSectionsArticleListPrivate
        links: ComponentSectionsArticleListLinks
        privateLinks: ComponentSectionsArticleListPrivateLinks
        create: ComponentSectionsArticleListCreate
        update: ComponentSectionsArticleListUpdate
        filters: ComponentSectionsArticleListFilters
        privateFilters: ComponentSectionsArticleListFilters<'all'>
      }
      'sections.contact': {
        kind: 'component'
        values: ComponentSectionsContact
        privateValues: ComponentSectionsContactPrivate
        links: ComponentSectionsContactLinks
        privateLinks: ComponentSectionsContactPrivateLinks
        create: ComponentSectionsContactCreate
        update: ComponentSectionsContactUpdate
        filters: ComponentSectionsContactFilters
        privateFilters: ComponentSectionsContactFilters<'all'>
      }
      'sections.hero': {
        kind: 'component'
        values: ComponentSectionsHero
        privateValues: ComponentSectionsHeroPrivate
        links: ComponentSectionsHeroLinks
        privateLinks: ComponentSectionsHeroPrivateLinks
        create: ComponentSectionsHeroCreate
        update: ComponentSectionsHeroUpdate
        filters: ComponentSectionsHeroFilters
        privateFilters: ComponentSectionsHeroFilters<'all'>
      }
      'sections.text': {
        kind: 'component'
        values: ComponentSectionsText
        privateValues: ComponentSectionsTextPrivate
        links: ComponentSectionsTextLinks
        privateLinks: ComponentSectionsTextPrivateLinks
        create: ComponentSectionsTextCreate
        update: ComponentSectionsTextUpdate
        filters: ComponentSectionsTextFilters
        privateFilters: ComponentSectionsTextFilters<'all'>
      }
      'shared.callout': {
        kind: 'component'
        values: ComponentSharedCallout
        privateValues: ComponentSharedCalloutPrivate
        links: ComponentSharedCalloutLinks
        privateLinks: ComponentSharedCalloutPrivateLinks
        create: ComponentSharedCalloutCreate
        update: ComponentSharedCalloutUpdate
        filters: ComponentSharedCalloutFilters
        privateFilters: ComponentSharedCalloutFilters<'all'>
      }
      'shared.gallery': {
        kind: 'component'
        values: ComponentSharedGallery
        privateValues: ComponentSharedGalleryPrivate
        links: ComponentSharedGalleryLinks
        privateLinks: ComponentSharedGalleryPrivateLinks
        create: ComponentSharedGalleryCreate
        update: ComponentSharedGalleryUpdate
        filters: ComponentSharedGalleryFilters
        privateFilters: ComponentSharedGalleryFilters<'all'>
      }
      'shared.link': {
        kind: 'component'
        values: ComponentSharedLink
        privateValues: ComponentSharedLinkPrivate
        links: ComponentSharedLinkLinks
        privateLinks: ComponentSharedLinkPrivateLinks
        create: ComponentSharedLinkCreate
        update: ComponentSharedLinkUpdate
        filters: ComponentSharedLinkFilters
        privateFilters: ComponentSharedLinkFilters<'all'>
      }
      'shared.quote': {
        kind: 'component'
        values: ComponentSharedQuote
        privateValues: ComponentSharedQuotePrivate
        links: ComponentSharedQuoteLinks
        privateLinks: ComponentSharedQuotePrivateLinks
        create: ComponentSharedQuoteCreate
        update: ComponentSharedQuoteUpdate
        filters: ComponentSharedQuoteFilters
        privateFilters: ComponentSharedQuoteFilters<'all'>
      }
      'shared.seo': {
        kind: 'component'
        values: ComponentSharedSeo
        privateValues: ComponentSharedSeoPrivate
        links: ComponentSharedSeoLinks
        privateLinks: ComponentSharedSeoPrivateLinks
        create: ComponentSharedSeoCreate
        update: ComponentSharedSeoUpdate
        filters: ComponentSharedSeoFilters
        privateFilters: ComponentSharedSeoFilters<'all'>
      }
    }
    /** The query parameters of plugins. */
    interface Parameters {
      readonly publicationState?: 'live' | 'preview' | undefined
      readonly locale?: string | readonly (string)[] | undefined
      readonly fallbackLocale?: string | undefined
      readonly uploadFolder?: string | undefined
    }
    /** The settings of plugins in config/plugins. */
    interface PluginSettings {
      'api-tokens': {
        /** The salt of the hashes of keys; without it the environment variable API_TOKEN_SALT. */
        readonly salt?: string | undefined
      }
      'content-type-builder': Plinth.Nothing
      'draft-publish': {
        /** `strict`: outside of preview, a draft is not found by its id either. `v4`: an id finds entries in any state. @default "strict" */
        readonly findOne?: 'strict' | 'v4' | undefined
        /** The callers who may request drafts: everybody as in v4, or those with the right `plugin::draft-publish.entries.preview`. @default "all" */
        readonly previewFor?: 'all' | 'permitted' | undefined
        /** The state of a new entry whose data has no `publishedAt`: published as in v4, or a draft. @default "published" */
        readonly create?: 'published' | 'draft' | undefined
      }
      email: {
        /** `log`, `nodemailer`, the name of one of v4's providers, or a module whose default export has `init`. @default "log" */
        readonly provider?: string | undefined
        /** The options of the provider; for nodemailer, those of its transport. */
        readonly providerOptions?: {
          readonly [name: string]: unknown
        } | undefined
        /** Addresses of mails that name none. */
        readonly settings?: {
          /** The sender of mails that name none. */
          readonly defaultFrom?: string | undefined
          /** The address for replies to mails that name none. */
          readonly defaultReplyTo?: string | undefined
          /** Accepted because v4 has it, without effect: the address to which its panel sends a test. */
          readonly testAddress?: string | undefined
        } | undefined
      }
      'entry-versions': Plinth.Nothing
      graphql: {
        /** The path of the endpoint and of the explorer. @default "/graphql" */
        readonly endpoint?: string | undefined
        /** True if types and operations are generated from the content types. @default true */
        readonly shadowCRUD?: boolean | undefined
        /** True if the explorer is served in production too. @default false */
        readonly playgroundAlways?: boolean | undefined
        /** The maximum number of items of a list, at every level. @default 100 */
        readonly amountLimit?: number | undefined
        /** The number of items of a list whose pagination names none; -1: the maximum, as v4 has it then. @default 10 */
        readonly defaultLimit?: -1 | number | undefined
        /** A lower maximum number of items; -1: none. @default -1 */
        readonly maxLimit?: number | undefined
        /** The maximum depth of an operation, as v4 counts it: below the root, without introspection. */
        readonly depthLimit?: number | undefined
        /** The limits of the operations of a request. */
        readonly limits?: {
          /** Bytes of the text of an operation. @default 65536 */
          readonly text?: number | undefined
          /** Tokens of the text. @default 2000 */
          readonly tokens?: number | undefined
          /** Fields, each as often as fragments repeat it. @default 1000 */
          readonly fields?: number | undefined
          /** Fields of the root. @default 50 */
          readonly roots?: number | undefined
          /** Levels of selections. @default 15 */
          readonly depth?: number | undefined
          /** Operations of a batch. All of them share one budget of fields and rows. @default 10 */
          readonly batch?: number | undefined
          /** The variables of a request. The operations of a batch share them. */
          readonly variables?: {
            /** Values, those in other values included. @default 20000 */
            readonly values?: number | undefined
            /** Levels of lists and objects. @default 64 */
            readonly depth?: number | undefined
            /** Bytes of texts and names. @default 1048576 */
            readonly bytes?: number | undefined
          } | undefined
        } | undefined
        /** Options of mercurius. */
        readonly serverOptions?: {
          readonly [name: string]: unknown
        } | undefined
        /** The options of v4's server library that have a meaning here. */
        readonly apolloServer?: {
          /** True if introspection is allowed; by default outside of production. */
          readonly introspection?: boolean | undefined
          /** True if a multipart request needs a header that pages of other origins cannot send without a preflight request. */
          readonly csrfPrevention?: boolean | undefined
          /** An option of v4's server library. */
          readonly bodyParserConfig?: unknown
          /** An option of v4's server library. */
          readonly cache?: unknown
          /** An option of v4's server library. */
          readonly cacheControl?: unknown
          /** An option of v4's server library. */
          readonly cors?: unknown
          /** An option of v4's server library. */
          readonly debug?: unknown
          /** An option of v4's server library. */
          readonly documentStore?: unknown
          /** An option of v4's server library. */
          readonly logger?: unknown
          /** An option of v4's server library. */
          readonly parseOptions?: unknown
          /** An option of v4's server library. */
          readonly persistedQueries?: unknown
          /** An option of v4's server library. */
          readonly playground?: unknown
          /** An option of v4's server library. */
          readonly stopOnTerminationSignals?: unknown
          /** An option of v4's server library. */
          readonly tracing?: unknown
          /** An option of v4's server library. */
          readonly plugins?: unknown
          /** An option of v4's server library. */
          readonly formatError?: unknown
          /** An option of v4's server library. */
          readonly formatResponse?: unknown
          /** An option of v4's server library. */
          readonly validationRules?: unknown
          /** An option of v4's server library. */
          readonly context?: unknown
          /** An option of v4's server library. */
          readonly dataSources?: unknown
          /** An option of v4's server library. */
          readonly schema?: unknown
          /** An option of v4's server library. */
          readonly schemaDirectives?: unknown
          /** An option of v4's server library. */
          readonly typeDefs?: unknown
          /** An option of v4's server library. */
          readonly resolvers?: unknown
          /** An option of v4's server library. */
          readonly fieldResolver?: unknown
          /** An option of v4's server library. */
          readonly rootValue?: unknown
          /** An option of v4's server library. */
          readonly mocks?: unknown
          /** An option of v4's server library. */
          readonly uploads?: unknown
        } | undefined
        /** An option of v4, which has no subscriptions. */
        readonly subscriptions?: unknown
        /** An option of v4 without an effect: no files are generated. */
        readonly federation?: boolean | undefined
        /** An option of v4 without an effect: no files are generated. */
        readonly generateArtifacts?: boolean | undefined
        /** An option of v4 without an effect: no files are generated. */
        readonly artifacts?: {
          /** An option of v4 without an effect: no files are generated. */
          readonly schema?: boolean | string | undefined
          /** An option of v4 without an effect: no files are generated. */
          readonly typegen?: boolean | string | undefined
        } | undefined
      }
      i18n: {
        /** Codes of the locales. They are stored in the table of locales, which may contain more. Without this setting, the locales are those of the table, or English. */
        readonly locales?: readonly (string)[] | undefined
        /** The locale of entries and requests that name none; the first one by default. */
        readonly defaultLocale?: string | undefined
      }
      passwords: Plinth.Nothing
      rest: {
        /** Path prefix of every route. */
        readonly prefix?: string | undefined
        /** Page size if the request does not set one. */
        readonly defaultLimit?: number | undefined
        /** Maximum page size; -1 for no maximum. */
        readonly maxLimit?: number | undefined
        /** Maximum number of entries in an answer, including nested ones. */
        readonly maxEntries?: number | undefined
        /** Maximum size of an answer, as "50mb" or in bytes. */
        readonly maxBytes?: number | string | undefined
        /** True if lists are counted when the request does not say whether they are. */
        readonly withCount?: boolean | undefined
        /** The entries that have a `meta` of their own: all, those with something in it, or none, as in v4. */
        readonly entryMeta?: 'always' | 'localized' | 'never' | undefined
        /** The greatest depth of `populate=deep`, and the one without a number; without it `populate=deep` is refused. */
        readonly deep?: number | undefined
        /** Names in requests that mean nothing, such as an attribute that does not exist: ignored as in v4, or refused with 400 and the nearest name. */
        readonly unknown?: 'ignore' | 'refuse' | undefined
        /** Access of pages of other origins; false sends no headers of CORS, true those of the defaults. */
        readonly cors?: boolean | {
          /** Origins that may read answers: one, several (separated by commas or as a list), "*", or a function. Members of a list that are undefined or null, such as variables that are not set, are left out. */
          readonly origin?: string | readonly (string | undefined | null)[] | Plinth.Callback | undefined
          /** Headers of answers that scripts may read, in place of the usual ones and of those that plugins add. */
          readonly expose?: string | readonly (string)[] | undefined
          /** Seconds for which browsers keep what is allowed. */
          readonly maxAge?: number | undefined
          /** True if requests may have credentials of the browser. */
          readonly credentials?: boolean | undefined
          /** Methods that requests may have. */
          readonly methods?: string | readonly (string)[] | undefined
          /** Headers that requests may have, in place of the usual ones and of those that plugins add. */
          readonly headers?: string | readonly (string)[] | undefined
          /** Accepted because v4 has it, without effect: errors have the headers of all answers. */
          readonly keepHeadersOnError?: boolean | undefined
        } | undefined
        /** Maximum sizes of bodies, as "1mb" or in bytes. */
        readonly body?: {
          /** The maximum size of a body of JSON, as "1mb" or in bytes. */
          readonly jsonLimit?: number | string | undefined
          /** The maximum size of a body of a form without files. */
          readonly formLimit?: number | string | undefined
          /** The maximum size of a body of text. */
          readonly textLimit?: number | string | undefined
          /** Limits of files. */
          readonly formidable?: {
            /** The maximum size of a file. */
            readonly maxFileSize?: number | string | undefined
          } | undefined
        } | undefined
        /** False: no security headers are sent, because a proxy adds them. */
        readonly securityHeaders?: boolean | undefined
        /** The header X-Powered-By; false omits it. */
        readonly poweredBy?: false | string | undefined
      }
      slugs: {
        /** True if a new entry without a value of an attribute of the type `uid` gets one, if its target has a text. @default false */
        readonly fill?: boolean | undefined
      }
      studio: {
        /** The path at which the panel is served. @default "/studio" */
        readonly path?: string | undefined
        /** The name of the panel, above its navigation and in the title of its pages. @default "Plinth" */
        readonly title?: string | undefined
        /** Further origins of media that other servers deliver, such as `https://media.example.com`; that of the provider of the plugin upload is known. @default [] */
        readonly mediaOrigins?: readonly (string)[] | undefined
        /** The names under which the page of the log-in offers logins by other providers, by their names in users-permissions. */
        readonly logins?: {
          readonly [name: string]: string
        } | undefined
        /** True if the presentation of types and components that v4's panel stored in the database is used, as far as `types` does not set it. @default true */
        readonly layoutsOfV4?: boolean | undefined
        /** Presentation of types and components, by their uid. */
        readonly types?: {
          readonly [name: string]: {
            /** The name of the type in the navigation and above lists; by default `info.displayName`. */
            readonly label?: string | undefined
            /** The heading in the navigation below which the type is listed. */
            readonly group?: string | undefined
            /** True: the type is not listed in the navigation. Whoever has the rights still reaches its entries. */
            readonly hidden?: boolean | undefined
            /** The attribute by which entries are named; by default `title`, `name`, or the first text. */
            readonly mainField?: string | undefined
            /** The attributes that a list shows at first. */
            readonly columns?: readonly (string)[] | undefined
            /** The order of a list at first, such as `title:asc`. */
            readonly sort?: string | undefined
            /** Number of entries that a page of a list has at first. */
            readonly pageSize?: 10 | 20 | 25 | 50 | 100 | undefined
            /** The rows of the form, each with the attributes that stand beside each other. Others follow below. */
            readonly layout?: readonly (readonly (string)[])[] | undefined
            /** Attributes that the form leaves out. Whoever has the rights still reads and writes them by the API. */
            readonly hiddenAttributes?: readonly (string)[] | undefined
            /** Attributes that the form shows and does not change. */
            readonly readonlyAttributes?: readonly (string)[] | undefined
            /** Labels of attributes; by default they follow from the names. */
            readonly labels?: {
              readonly [name: string]: string
            } | undefined
            /** Sentences below the inputs of attributes. */
            readonly descriptions?: {
              readonly [name: string]: string
            } | undefined
            /** The address at which an entry can be seen, with `{slug}` and the like for its attributes. */
            readonly preview?: string | undefined
          }
        } | undefined
      }
      upload: {
        /** The provider that stores files: `local`, the name of a package or the path of a module whose default export has `init`, or a provider itself. `name` stands for the package `@plinth/upload-<name>`, if there is one. @default "local" */
        readonly provider?: unknown
        /** The options of the provider. */
        readonly providerOptions?: {
          readonly [name: string]: unknown
        } | undefined
        /** Accepted because v4 has it, without effect: options of single calls of v4's providers. */
        readonly actionOptions?: {
          readonly [name: string]: unknown
        } | undefined
        /** The folder of local files; by default `public/uploads` of the application. */
        readonly folder?: string | undefined
        /** The maximum number of bytes of a file. @default 1000000000 */
        readonly sizeLimit?: number | undefined
        /** The sizes of the formats of pictures, by their names. @default {"large":1000,"medium":750,"small":500} */
        readonly breakpoints?: {
          readonly [name: string]: number
        } | undefined
        /** True if the formats of `breakpoints` are made; thumbnails always are. @default true */
        readonly responsiveDimensions?: boolean | undefined
        /** Patterns of types, such as `image/*`: files of other types are refused. */
        readonly allowedTypes?: readonly (string)[] | undefined
        /** Patterns of types of files that are refused. @default [] */
        readonly deniedTypes?: readonly (string)[] | undefined
        /** The maximum number of pixels of a picture. @default 100000000 */
        readonly maxPixels?: number | undefined
        /** The time that one picture may take to decode, in seconds. @default 30 */
        readonly pictureTimeLimit?: number | undefined
        /** The number of pictures that may wait while two are decoded; others are refused with a 503. @default 100 */
        readonly maxWaitingPictures?: number | undefined
        /** The time that one upload may take, in seconds. @default 1800 */
        readonly timeLimit?: number | undefined
        /** True if the URLs of local files are answered as absolute ones, by `url` in config/server; or the address that they begin with. @default false */
        readonly absoluteUrls?: boolean | string | undefined
        /** True if filters may pass through media, as in v4. @default false */
        readonly allowFilters?: boolean | undefined
      }
      'users-permissions': {
        /** The key that signs tokens. Without it, the environment variable JWT_SECRET is used. */
        readonly jwtSecret?: string | undefined
        /** Tokens of logins. */
        readonly jwt?: {
          /** The time that a token is valid: a number of seconds, or a span such as `30d`. @default "30d" */
          readonly expiresIn?: number | string | undefined
        } | undefined
        /** Registrations. */
        readonly register?: {
          /** Attributes of users that a registration may set beside username, email and password. @default [] */
          readonly allowedFields?: readonly (string)[] | undefined
        } | undefined
        /** Settings of the storage of passwords. */
        readonly passwords?: {
          /** The algorithm of new hashes. A login replaces a hash of the other one. `bcrypt` is for projects in which v4 runs on the same database. @default "scrypt" */
          readonly algorithm?: 'scrypt' | 'bcrypt' | undefined
        } | undefined
        /** v4's advanced settings. Those that are left out are read from v4's table of settings, if there is one. */
        readonly advanced?: {
          /** True if an address belongs to one user; true by default. */
          readonly unique_email?: boolean | undefined
          /** True if people may register; true by default. */
          readonly allow_register?: boolean | undefined
          /** True if a login needs a confirmed address. */
          readonly email_confirmation?: boolean | undefined
          /** The page of a front end at which a forgotten password is replaced. */
          readonly email_reset_password?: string | null | undefined
          /** The page of a front end to which a confirmation leads. */
          readonly email_confirmation_redirection?: string | null | undefined
          /** The type of the role of people who register. */
          readonly default_role?: string | undefined
        } | undefined
        /** Logins by third parties, by the name that stands in the routes. */
        readonly providers?: {
          readonly [name: string]: {
            /** False switches the provider off, also one that v4's admin panel switched on. */
            readonly enabled?: boolean | undefined
            /** The way in which the profile is read: from an ID token (OpenID Connect), or as GitHub gives it. */
            readonly type?: 'oidc' | 'github' | undefined
            /** The id of the application at the provider. */
            readonly clientId?: string | undefined
            /** The secret of the application at the provider. */
            readonly clientSecret?: string | undefined
            /** The pages of the front end to which a login may lead; the first one is where it leads by default. */
            readonly callback?: string | readonly (string)[] | undefined
            /** Scopes that the login requests, such as `email`. */
            readonly scope?: string | readonly (string)[] | undefined
            /** The issuer of ID tokens, by whose address its endpoints and keys are found. */
            readonly issuer?: string | undefined
            /** Endpoints that differ from those of the issuer. */
            readonly endpoints?: {
              /** The page on which people log in. */
              readonly authorize?: string | undefined
              /** The endpoint that exchanges codes for tokens. */
              readonly token?: string | undefined
              /** The endpoint with the keys of ID tokens. */
              readonly jwks?: string | undefined
              /** The endpoint with the profile of a user. */
              readonly userinfo?: string | undefined
              /** The endpoint at which a provider of the type `github` lists the addresses of a user. */
              readonly emails?: string | undefined
            } | undefined
            /** The place of the secret in requests to the token endpoint. */
            readonly tokenAuth?: 'header' | 'body' | undefined
            /** Takes all addresses of this issuer as verified. For issuers whose addresses only their owner gives out. */
            readonly trustEmails?: boolean | undefined
          }
        } | undefined
        /** The address in requests to which a login leads. */
        readonly callback?: {
          /** Throws, or returns false, for an address to which no login may lead. */
          readonly validate?: unknown
        } | undefined
        /** The limit of requests of accounts. */
        readonly ratelimit?: {
          /** False: requests of accounts are not limited. @default true */
          readonly enabled?: boolean | undefined
          /** The length of a window: milliseconds, or a span such as `1 minute`. @default 60000 */
          readonly interval?: number | string | undefined
          /** Requests in a window, by one address to one route, and for one account to one route. @default 10 */
          readonly max?: number | undefined
          /** The URL of a Redis server that counts for several processes. Needs the package ioredis. */
          readonly redis?: string | undefined
          /** The beginning of the keys in Redis. @default "plinth-limit:" */
          readonly prefix?: string | undefined
        } | undefined
        /** Mails of accounts. */
        readonly email?: {
          /** The texts of the mails of accounts. Their provider is that of the plugin email. */
          readonly templates?: {
            /** The mail for a forgotten password. */
            readonly reset_password?: {
              /** The sender; by default that of the plugin email. */
              readonly from?: string | undefined
              /** The address for replies. */
              readonly replyTo?: string | undefined
              /** The subject, with the variables of the message. */
              readonly subject?: string | undefined
              /** HTML, with variables such as `<%= URL %>`. */
              readonly message?: string | undefined
            } | undefined
            /** The mail that confirms an address. */
            readonly email_confirmation?: {
              /** The sender; by default that of the plugin email. */
              readonly from?: string | undefined
              /** The address for replies. */
              readonly replyTo?: string | undefined
              /** The subject, with the variables of the message. */
              readonly subject?: string | undefined
              /** HTML, with variables such as `<%= URL %>`. */
              readonly message?: string | undefined
            } | undefined
          } | undefined
        } | undefined
        /** Actions of roles, by the type of the role: names, or patterns such as `api::article.article.*`. */
        readonly permissions?: {
          readonly [name: string]: readonly (string)[]
        } | undefined
        /** Rules of roles, by the type of the role. */
        readonly rules?: {
          readonly [name: string]: readonly ({
            /** The name of an action of a content type, or a pattern such as `api::article.article.*`. */
            readonly action: string
            /** Filters of the REST API that the entries must fulfil, with `$user.<path>` and `$now` as values. */
            readonly where?: {
              readonly [name: string]: unknown
            } | undefined
            /** Filters that an entry must fulfil after a creation or an update; without it, those of `where`. */
            readonly check?: {
              readonly [name: string]: unknown
            } | undefined
            /** Attributes that are hidden from reads, and that a write may not send. */
            readonly fields?: readonly (string)[] | undefined
          })[]
        } | undefined
      }
    }
    /** A JSON value. */
    type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
    /** A node of an attribute of the type `blocks`. */
    type Block = { readonly type: string; readonly [key: string]: unknown }
    /** A function among the settings of a plugin. */
    type Callback = (...args: any[]) => unknown
    /** The settings of a plugin that has none. */
    type Nothing = { readonly [name: string]: never }
    type Id = number | string
    /** The rights of a query: those of a caller, or all. Only with all rights it may name private attributes. */
    type Rights = 'caller' | 'all'
    type Private<Has extends Rights, Type> = Has extends 'all' ? Type : never
    /** The operators of filters on a value; several hold together. */
    interface Operators<Value> {
      $eq?: Value | null | readonly (Value)[]
      $ne?: Value | null | readonly (Value)[]
      $lt?: Value | null | readonly (Value)[]
      $lte?: Value | null | readonly (Value)[]
      $gt?: Value | null | readonly (Value)[]
      $gte?: Value | null | readonly (Value)[]
      $in?: readonly (Value | null)[] | Value
      $notIn?: readonly (Value | null)[] | Value
      $between?: readonly [Value, Value]
      $null?: boolean
      $notNull?: boolean
      $eqi?: string | number | null | readonly (string | number)[]
      $nei?: string | number | null | readonly (string | number)[]
      $contains?: string | number | null | readonly (string | number)[]
      $notContains?: string | number | null | readonly (string | number)[]
      $containsi?: string | number | null | readonly (string | number)[]
      $notContainsi?: string | number | null | readonly (string | number)[]
      $startsWith?: string | number | null | readonly (string | number)[]
      $startsWithi?: string | number | null | readonly (string | number)[]
      $endsWith?: string | number | null | readonly (string | number)[]
      $endsWithi?: string | number | null | readonly (string | number)[]
      $and?: readonly Operators<Value>[]
      $or?: readonly Operators<Value>[]
      $not?: Operators<Value> | Value
    }
    /** A condition on a value; a list means one of its values. */
    type Test<Value> = Value | null | readonly (Value | null)[] | Operators<Value>
    type Sort<Name extends string> = Name | `${Name}:asc` | `${Name}:desc`
    /** An entry that is linked, perhaps at a place among the others. */
    type Connect =
      | Id
      | {
          readonly id: Id
          readonly position?: { readonly before?: Id; readonly after?: Id; readonly start?: boolean; readonly end?: boolean }
        }
    type Change<Item> = {
      readonly set?: readonly Item[] | null
      readonly connect?: readonly Item[]
      readonly disconnect?: readonly Item[]
      readonly options?: { readonly strict?: boolean }
    }
    /** The links of an entry as they are sent: all of them, or changes of them. */
    type SentLink = Connect | readonly Connect[] | Change<Connect> | null
    type SentLinks = readonly Connect[] | Connect | Change<Connect> | null
    /** Links of a polymorphic relation. */
    type AnyConnect = { readonly id: Id; readonly __type: keyof ContentTypes }
    type SentAny = AnyConnect | null
    type SentAnys = readonly AnyConnect[] | Change<AnyConnect> | null
    type Needs<Data, Names extends keyof Data> = Data & { readonly [Name in Names]-?: NonNullable<Data[Name]> }
  }
}
