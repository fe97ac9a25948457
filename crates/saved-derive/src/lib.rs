// SPDX-License-Identifier: MIT OR Apache-2.0
//! `#[derive(Saved)]` and `#[derive(Plain)]`, which the crate `saved` describes.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use std::collections::BTreeSet;
use syn::{Data, DeriveInput, Field, Fields, Ident, Member, Path, Type, Variant, parse_macro_input};

/// Writes a type field by field, and reads it in place. `#[saved(fixed)]`: a field that is neither written nor read.
/// `#[saved(each)]`: what the field holds is read in place, one by one. `#[saved(or = path)]`: an option whose content
/// `path()` makes where there is none yet.
#[proc_macro_derive(Saved, attributes(saved))]
pub fn saved(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    in_place(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Writes a type field by field, and makes it from what was written.
#[proc_macro_derive(Plain)]
pub fn plain(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    made(&input).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// How a field is treated.
enum Way {
    Whole,
    Each,
    Or(Path),
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
                    () => return Err(meta.error("a field of saved state is `each`, `or = path` or `fixed`")),
                };
                Ok(())
            })?;
        }
        Ok(way)
    }
}

/// What is done with the value of one field, called by a name.
fn written(way: &Way, value: &TokenStream) -> TokenStream {
    match way {
        Way::Whole => quote!(::saved::Saved::save_to(#value, to);),
        Way::Each | Way::Or(_) => quote!(::saved::Each::save_each(#value, to);),
        Way::Fixed => TokenStream::new(),
    }
}

fn read_in_place(way: &Way, value: &TokenStream) -> TokenStream {
    match way {
        Way::Whole => quote!(::saved::Saved::load_from(#value, from)?;),
        Way::Each => quote!(::saved::Each::load_each(#value, from)?;),
        Way::Or(make) => quote!(::saved::load_or(#value, from, #make)?;),
        Way::Fixed => TokenStream::new(),
    }
}

/// The variants of an enum, or the fields of a structure as its one variant.
fn shapes(input: &DeriveInput) -> syn::Result<Vec<(Option<Ident>, &Fields)>> {
    match &input.data {
        Data::Struct(data) => Ok(vec![(None, &data.fields)]),
        Data::Enum(data) => Ok(data.variants.iter().map(|Variant { ident, fields, .. }| (Some(ident.clone()), fields)).collect()),
        Data::Union(_) => Err(syn::Error::new_spanned(&input.ident, "a union has no saved state")),
    }
}

/// The name of a variant as it is written in code, and names for its fields.
fn pattern(variant: Option<&Ident>, fields: &Fields) -> (TokenStream, Vec<Member>, Vec<Ident>) {
    let path = variant.map_or_else(|| quote!(Self), |variant| quote!(Self::#variant));
    let members: Vec<Member> = fields.members().collect();
    let names = (0..members.len()).map(|number| format_ident!("field_{number}")).collect();
    (path, members, names)
}

fn in_place(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let (is_enum, shapes) = (matches!(input.data, Data::Enum(_)), shapes(input)?);
    let mut bounds = Vec::new();
    let (mut saves, mut loads) = (Vec::new(), Vec::new());
    for (number, (variant, fields)) in (0_u8..).zip(&shapes) {
        let (path, members, names) = pattern(variant.as_ref(), fields);
        let ways = fields.iter().map(Way::of).collect::<syn::Result<Vec<_>>>()?;
        for (field, way) in fields.iter().zip(&ways) {
            let bound = match way {
                Way::Whole => quote!(::saved::Saved),
                Way::Each | Way::Or(_) => quote!(::saved::Each),
                Way::Fixed => continue,
            };
            bounds.extend(bounded(input, &field.ty, &bound));
        }
        let values: Vec<TokenStream> = names.iter().map(|name| quote!(#name)).collect();
        let bound: Vec<TokenStream> = ways.iter().zip(&names).map(|(way, name)| match way {
            Way::Fixed => quote!(_),
            _ => quote!(#name),
        }).collect();
        let tag = is_enum.then(|| quote!(::saved::Saved::save_to(&#number, to);));
        let writes = ways.iter().zip(&values).map(|(way, value)| written(way, value));
        saves.push(quote!(#path { #(#members: #bound),* } => { #tag #(#writes)* }));
        let reads = ways.iter().zip(&values).map(|(way, value)| read_in_place(way, value));
        loads.push(match (is_enum, fields.is_empty()) {
            (false, _) => quote!(#path { #(#members: #bound),* } => { #(#reads)* }),
            (true, true) => quote!((#number, this) => *this = #path { },),
            (true, false) => quote!((#number, #path { #(#members: #bound),* }) => { #(#reads)* }),
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
    Ok(implementation(input, &bounds, &quote!(::saved::Saved), &quote! {
        fn save_to(&self, to: &mut ::saved::Writer) {
            let _ = &to;
            match self { #(#saves)* }
        }
        fn load_from(&mut self, from: &mut ::saved::Reader<'_>) -> Result<(), ::saved::Damaged> {
            let _ = &from;
            #load
            Ok(())
        }
    }, name))
}

fn made(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let (is_enum, shapes) = (matches!(input.data, Data::Enum(_)), shapes(input)?);
    let mut bounds = Vec::new();
    let (mut saves, mut reads) = (Vec::new(), Vec::new());
    for (number, (variant, fields)) in (0_u8..).zip(&shapes) {
        let (path, members, names) = pattern(variant.as_ref(), fields);
        bounds.extend(fields.iter().filter_map(|field| bounded(input, &field.ty, &quote!(::saved::Plain))));
        let tag = is_enum.then(|| quote!(::saved::Saved::save_to(&#number, to);));
        saves.push(quote!(#path { #(#members: #names),* } => { #tag #(::saved::Saved::save_to(#names, to);)* }));
        let value = quote!(#path { #(#members: ::saved::Plain::read_from(from)?),* });
        reads.push(if is_enum { quote!(#number => #value,) } else { value });
    }
    let read = if is_enum {
        quote!(match <u8 as ::saved::Plain>::read_from(from)? { #(#reads)* _ => return Err(from.damaged::<Self>()) })
    } else {
        quote!(#(#reads)*)
    };
    let saved = implementation(input, &bounds, &quote!(::saved::Saved), &quote! {
        fn save_to(&self, to: &mut ::saved::Writer) {
            let _ = &to;
            match self { #(#saves)* }
        }
        fn load_from(&mut self, from: &mut ::saved::Reader<'_>) -> Result<(), ::saved::Damaged> {
            *self = ::saved::Plain::read_from(from)?;
            Ok(())
        }
    }, name);
    let plain = implementation(input, &bounds, &quote!(::saved::Plain), &quote! {
        fn read_from(from: &mut ::saved::Reader<'_>) -> Result<Self, ::saved::Damaged> {
            let _ = &from;
            Ok(#read)
        }
    }, name);
    Ok(quote!(#saved #plain))
}

/// What a field asks of the parameters of its type, if it depends on one.
fn bounded(input: &DeriveInput, field: &Type, bound: &TokenStream) -> Option<TokenStream> {
    let parameters: BTreeSet<String> = input.generics.type_params().map(|each| each.ident.to_string()).collect();
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
    name: &Ident,
) -> TokenStream {
    let (parameters, arguments, given) = input.generics.split_for_impl();
    let given = given.map_or_else(|| quote!(where), |given| {
        let predicates = &given.predicates;
        quote!(where #predicates,)
    });
    quote! {
        #[automatically_derived]
        impl #parameters #of for #name #arguments #given #(#bounds),* { #body }
    }
}
