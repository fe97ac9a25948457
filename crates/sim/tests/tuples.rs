// SPDX-License-Identifier: MIT OR Apache-2.0
//! No function has a parameter that is a tuple, because a tuple is a struct whose fields have no names.
#![expect(clippy::unwrap_used, reason = "a source file that cannot be read ends the test")]

use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, FnArg, Item, ItemMod, Signature, Type};

/// Returns whether an item is compiled only for tests.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|path| path.is_ident("test"))
    })
}

/// Returns whether a type is a tuple with fields, or a reference to such a tuple.
fn is_tuple(kind: &Type) -> bool {
    match kind {
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        Type::Reference(reference) => is_tuple(&reference.elem),
        Type::Paren(inner) => is_tuple(&inner.elem),
        _ => false,
    }
}

/// Finds the functions with a tuple parameter in a file and in the modules below it.
struct Search<'a> {
    /// Path of the file.
    file: &'a Path,
    /// Folder of the modules that the file declares.
    folder: &'a Path,
    /// The functions found, as `file:line: function`.
    found: &'a mut Vec<String>,
}

impl<'ast> Visit<'ast> for Search<'_> {
    fn visit_signature(&mut self, signature: &'ast Signature) {
        let takes_tuple = |input: &FnArg| matches!(input, FnArg::Typed(input) if is_tuple(&input.ty));
        if signature.inputs.iter().any(takes_tuple) {
            let line = signature.ident.span().start().line;
            self.found.push(format!("{}:{line}: {}", self.file.display(), signature.ident));
        }
        visit::visit_signature(self, signature);
    }
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        let folder = self.folder.join(module.ident.to_string());
        if module.content.is_some() {
            visit::visit_item_mod(
                &mut Search { file: self.file, folder: &folder, found: self.found },
                module,
            );
        } else {
            search(&folder.with_extension("rs"), &folder, self.found);
        }
    }
    fn visit_item(&mut self, item: &'ast Item) {
        if !matches!(item, Item::Mod(module) if is_test(&module.attrs)) {
            visit::visit_item(self, item);
        }
    }
}

fn search(file: &Path, folder: &Path, found: &mut Vec<String>) {
    let syntax = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap();
    Search { file, folder, found }.visit_file(&syntax);
}

#[test]
fn the_search_finds_tuples() {
    let source = "fn pair((a, b): (u8, u8)) {}\n\
                  impl Ends { fn behind(&self, pair: &mut (u8, u8)) {} }\n\
                  mod inner { trait Sized { fn one(of: (u8,)); } }\n\
                  fn others(each: impl Fn((u8, u8)), all: &[(u8, u8)]) -> (u8, u8) { all.map(|(a, b)| (b, a)) }\n\
                  #[cfg(test)]\nmod tests { fn checked(pair: (u8, u8)) {} }\n";
    let (path, mut found) = (Path::new("lib.rs"), Vec::new());
    Search { file: path, folder: path, found: &mut found }.visit_file(&syn::parse_file(source).unwrap());
    assert_eq!(found, ["lib.rs:1: pair", "lib.rs:2: behind", "lib.rs:3: one"]);
}

#[test]
fn no_function_takes_a_tuple() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        let source = entry.unwrap().path().join("src");
        search(&source.join("lib.rs"), &source, &mut found);
    }
    found.sort();
    assert!(found.is_empty(), "{} functions with a tuple parameter:\n{}", found.len(), found.join("\n"));
}
