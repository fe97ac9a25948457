// SPDX-License-Identifier: MIT OR Apache-2.0
//! `#[derive(Saved)]` and `#[derive(Plain)]`. The crate `saved` describes their use.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use syn::{Data, DeriveInput, Field, Fields, Ident, Member, Path, Type, Variant, parse_macro_input};

/// Implements `saved::Saved` for a type. The type is written field by field, and read in place. Attributes of fields:
///
/// - `#[saved(fixed)]`: the field is neither written nor read.
/// - `#[saved(each)]`: the elements of the field are read in place, one by one.
/// - `#[saved(or = path)]`: the field is an option. If it is empty but has stored content, `path()` first creates the
///   content.
/// - `#[saved(by = field)]`: another field of the structure creates the elements of the field (`saved::SavedBy`).
#[proc_macro_derive(Saved, attributes(saved))]
pub fn saved(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    in_place(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Implements `saved::Plain` for a type. The type is written field by field, and created from these bytes.
#[proc_macro_derive(Plain)]
pub fn plain(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    made(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// How a field is written and read.
enum Way {
    Whole,
    Each,
    Or(Path),
    By(Ident),
    Fixed,
}

impl Way {
    fn of(field: &Field) -> syn::Result<Self> {
        let mut way = Self::Whole;
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("saved")) {
            attribute.parse_nested_meta(|meta| {
                way = match () {
                    () if meta.path.is_ident("each") => Self::Each,
                    () if meta.path.is_ident("fixed") => Self::Fixed,
                    () if meta.path.is_ident("or") => Self::Or(meta.value()?.parse()?),
                    () if meta.path.is_ident("by") => Self::By(meta.value()?.parse()?),
                    () => return Err(meta.error("expected `each`, `or = path`, `by = field` or `fixed`")),
                };
                Ok(())
            })?;
        }
        Ok(way)
    }
}

/// Returns the variants of an enum. A structure counts as one variant.
fn shapes(input: &DeriveInput) -> syn::Result<Vec<(Option<Ident>, &Fields)>> {
    match &input.data {
        Data::Struct(data) => Ok(vec![(None, &data.fields)]),
        Data::Enum(data) => Ok(data
            .variants
            .iter()
            .map(|Variant { ident, fields, .. }| (Some(ident.clone()), fields))
            .collect()),
        Data::Union(_) => Err(syn::Error::new_spanned(&input.ident, "a union has no saved state")),
    }
}

/// A variant or a structure, split into its fields. Each field has a name that cannot collide with other names.
struct Parts {
    path: TokenStream,
    members: Vec<Member>,
    names: Vec<Ident>,
}

impl Parts {
    fn of(variant: Option<&Ident>, fields: &Fields) -> Self {
        let path = variant.map_or_else(|| quote!(Self), |variant| quote!(Self::#variant));
        let members: Vec<Member> = fields.members().collect();
        let names = (0..members.len()).map(|number| format_ident!("field_{number}")).collect();
        Self { path, members, names }
    }

    /// Returns a pattern that binds the needed fields.
    fn pattern(&self, is_needed: impl Fn(usize) -> bool) -> TokenStream {
        let Self { path, members, names } = self;
        let bound =
            names.iter().enumerate().map(|(at, name)| if is_needed(at) { quote!(#name) } else { quote!(_) });
        quote!(#path { #(#members: #bound),* })
    }

    /// Returns the index of a field with this name in the structure.
    fn find(&self, field: &Ident) -> syn::Result<usize> {
        let place =
            self.members.iter().position(|member| matches!(member, Member::Named(name) if name == field));
        place.ok_or_else(|| syn::Error::new_spanned(field, "there is no such field"))
    }
}

fn in_place(input: &DeriveInput) -> syn::Result<TokenStream> {
    let is_enum = matches!(input.data, Data::Enum(_));
    let mut bounds = Vec::new();
    let (mut saves, mut loads) = (Vec::new(), Vec::new());
    for (number, (variant, fields)) in (0_u8..).zip(shapes(input)?) {
        let parts = Parts::of(variant.as_ref(), fields);
        let mut makers = BTreeSet::new();
        let (mut writes, mut reads, mut written) = (Vec::new(), Vec::new(), Vec::new());
        for (field, name) in fields.iter().zip(&parts.names) {
            let way = Way::of(field)?;
            let (bound, read) = match &way {
                Way::Whole => (quote!(::saved::Saved), quote!(::saved::Saved::load_from(#name, from)?;)),
                Way::Each => (quote!(::saved::Each), quote!(::saved::Each::load_each(#name, from)?;)),
                Way::Or(make) => (quote!(::saved::Each), quote!(::saved::load_or(#name, from, #make)?;)),
                Way::By(maker) => {
                    let at = parts.find(maker)?;
                    makers.insert(at);
                    let maker = &parts.names[at];
                    (TokenStream::new(), quote!(::saved::SavedBy::load_made(#name, from, &*#maker)?;))
                }
                Way::Fixed => (TokenStream::new(), TokenStream::new()),
            };
            writes.push(match way {
                Way::Whole => quote!(::saved::Saved::save_to(#name, to);),
                Way::Each | Way::Or(_) => quote!(::saved::Each::save_each(#name, to);),
                Way::By(_) => quote!(::saved::SavedBy::save_made(#name, to);),
                Way::Fixed => TokenStream::new(),
            });
            written.push(!read.is_empty());
            reads.push(read);
            bounds.extend((!bound.is_empty()).then(|| bounded(input, &field.ty, &bound)).flatten());
        }
        let tag = is_enum.then(|| quote!(::saved::Saved::save_to(&#number, to);));
        let pattern = parts.pattern(|at| written[at]);
        saves.push(quote!(#pattern => { #tag #(#writes)* }));
        let pattern = parts.pattern(|at| written[at] || makers.contains(&at));
        let path = &parts.path;
        loads.push(match (is_enum, fields.is_empty()) {
            (false, _) => quote!(#pattern => { #(#reads)* }),
            (true, true) => quote!((#number, this) => *this = #path { },),
            (true, false) => quote!((#number, #pattern) => { #(#reads)* }),
        });
    }
    let load = if is_enum {
        quote! {
            match (<u8 as ::saved::Plain>::read_from(from)?, self) {
                #(#loads)*
                _ => return Err(from.damaged::<Self>()),
            }
        }
    } else {
        quote!(match self { #(#loads)* })
    };
    let save = save(&saves);
    Ok(implementation(
        input,
        &bounds,
        &quote!(::saved::Saved),
        &quote! {
            #save
            fn load_from(&mut self, from: &mut ::saved::Reader<'_>) -> Result<(), ::saved::Damaged> {
                let _ = &from;
                #load
                Ok(())
            }
        },
    ))
}

/// Returns the function `Saved::save_to` with one match arm for each variant.
fn save(saves: &[TokenStream]) -> TokenStream {
    quote! {
        fn save_to(&self, to: &mut ::saved::Writer) {
            let _ = &to;
            match self { #(#saves)* }
        }
    }
}

fn made(input: &DeriveInput) -> syn::Result<TokenStream> {
    let is_enum = matches!(input.data, Data::Enum(_));
    let mut bounds = Vec::new();
    let (mut saves, mut reads) = (Vec::new(), Vec::new());
    for (number, (variant, fields)) in (0_u8..).zip(shapes(input)?) {
        let parts = Parts::of(variant.as_ref(), fields);
        bounds.extend(fields.iter().filter_map(|field| bounded(input, &field.ty, &quote!(::saved::Plain))));
        let tag = is_enum.then(|| quote!(::saved::Saved::save_to(&#number, to);));
        let pattern = parts.pattern(|_| true);
        let Parts { path, members, names } = parts;
        saves.push(quote!(#pattern => { #tag #(::saved::Saved::save_to(#names, to);)* }));
        let value = quote!(#path { #(#members: ::saved::Plain::read_from(from)?),* });
        reads.push(if is_enum { quote!(#number => #value,) } else { value });
    }
    let read = if is_enum {
        quote!(match <u8 as ::saved::Plain>::read_from(from)? { #(#reads)* _ => return Err(from.damaged::<Self>()) })
    } else {
        quote!(#(#reads)*)
    };
    let save = save(&saves);
    let saved = implementation(
        input,
        &bounds,
        &quote!(::saved::Saved),
        &quote! {
            #save
            fn load_from(&mut self, from: &mut ::saved::Reader<'_>) -> Result<(), ::saved::Damaged> {
                *self = ::saved::Plain::read_from(from)?;
                Ok(())
            }
        },
    );
    let plain = implementation(
        input,
        &bounds,
        &quote!(::saved::Plain),
        &quote! {
            fn read_from(from: &mut ::saved::Reader<'_>) -> Result<Self, ::saved::Damaged> {
                let _ = &from;
                Ok(#read)
            }
        },
    );
    Ok(quote!(#saved #plain))
}

/// Returns the bound that a field requires, if its type depends on a type parameter.
fn bounded(input: &DeriveInput, field: &Type, bound: &TokenStream) -> Option<TokenStream> {
    let parameters: BTreeSet<String> =
        input.generics.type_params().map(|each| each.ident.to_string()).collect();
    mentions(quote!(#field), &parameters).then(|| quote!(#field: #bound))
}

fn mentions(tokens: TokenStream, names: &BTreeSet<String>) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), names),
        _ => false,
    })
}

fn implementation(
    input: &DeriveInput,
    bounds: &[TokenStream],
    of: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let name = &input.ident;
    let (parameters, arguments, given) = input.generics.split_for_impl();
    let given = given.map_or_else(
        || quote!(where),
        |given| {
            let predicates = &given.predicates;
            quote!(where #predicates,)
        },
    );
    quote! {
        #[automatically_derived]
        impl #parameters #of for #name #arguments #given #(#bounds),* { #body }
    }
}
